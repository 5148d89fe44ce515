// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/joint.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::comm;

TEST_CASE("participants of one job join without the others") {
  const Comm world(MPI_COMM_WORLD);
  const int part = world.rank() % 3; // 0 and 2 join, 1 stands aside
  const Comm own = world.split(part);
  std::vector<int> members[3];
  for (int rank = 0; rank < world.size(); ++rank) {
    members[rank % 3].push_back(rank);
  }
  CHECK(connect::world_ranks(own) == members[part]);
  if (part == 1) {
    return;
  }
  const Comm joint = connect::join(members[0], members[2], 7);
  CHECK(joint.size() == static_cast<int>(members[0].size() + members[2].size()));
  const int before = part == 0 ? 0 : static_cast<int>(members[0].size());
  CHECK(joint.rank() == before + own.rank());
}

TEST_CASE("a job is the same if it has the same name") {
  connect::Address one;
  connect::Address other;
  CHECK(!connect::in_one_job(one, other)); // without MPI there is none
  one.job = "job 7";
  CHECK(!connect::in_one_job(one, other));
  other.job = "job 7";
  CHECK(connect::in_one_job(one, other));
}
