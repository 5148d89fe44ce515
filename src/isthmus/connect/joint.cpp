// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/joint.hpp"

#include "isthmus/base/error.hpp"

#include <numeric>
#include <set>

namespace isthmus::connect {

bool in_one_job(const Address& one, const Address& other) {
  return !one.job.empty() && one.job == other.job;
}

std::vector<int> world_ranks(const comm::Comm& participant) {
  if (participant.raw() == MPI_COMM_NULL) { // serial
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return {rank};
  }
  const auto size = static_cast<std::size_t>(participant.size());
  std::vector<int> own(size);
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> ranks(size);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(participant.raw(), &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, participant.size(), own.data(), world, ranks.data());
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return ranks;
}

comm::Comm join(std::span<const int> first, std::span<const int> second, int tag) {
  std::vector<int> ranks(first.begin(), first.end());
  ranks.insert(ranks.end(), second.begin(), second.end());
  const std::set<int> different(ranks.begin(), ranks.end());
  check(different.size() == ranks.size(),
        "MPI cannot join participants of which parts run in the same process; set "
        "ISTHMUS_TRANSPORT=tcp to do without");
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  MPI_Comm created = MPI_COMM_NULL;
  const int code = MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &created);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  check(code == MPI_SUCCESS && created != MPI_COMM_NULL,
        "MPI cannot make a communicator of both participants (error {}); set "
        "ISTHMUS_TRANSPORT=tcp to do without",
        code);
  return comm::Comm::own(created);
}

} // namespace isthmus::connect
