// SPDX-License-Identifier: BSD-3-Clause
// The communicators that are made of a launch, its own and that of a joint job.
#include "isthmus/participant/factory.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <string>
#include <vector>

using namespace isthmus;
using participant::make_comm;
using participant::make_joint_job;

TEST_CASE("the communicator of a participant is one of its own, with the ranks of the launch") {
  const comm::Comm world(MPI_COMM_WORLD);
  Launch launch;
  launch.rank = world.rank();
  launch.size = world.size();
  for (const bool is_given : {false, true}) {
    const MPI_Comm communicator = MPI_COMM_WORLD;
    launch.communicator = is_given ? &communicator : nullptr;
    bool initialized_mpi = false;
    bool met = false;
    const comm::Comm made = make_comm("A", launch, initialized_mpi, met);
    CHECK(made.rank() == world.rank());
    CHECK(made.size() == world.size());
    CHECK_FALSE(initialized_mpi); // was it already
    CHECK(met == (world.size() > 1));
    CHECK((made.size() == 1 || made.raw() != MPI_COMM_WORLD));
  }
}

TEST_CASE("a launch that does not agree with its communicator is refused, of a rank on all ranks") {
  const comm::Comm world(MPI_COMM_WORLD);
  const MPI_Comm communicator = MPI_COMM_WORLD;
  const int last = world.size() - 1;
  const auto says = [&](int rank, int size) {
    const Launch launch{rank, size, &communicator};
    bool initialized_mpi = false;
    bool met = false;
    return message_of([&] { (void)make_comm("A", launch, initialized_mpi, met); });
  };
  const bool is_last = world.rank() == last;
  const std::string from = last == 0 ? "" : fmt::format("rank {}: ", last);
  CHECK(says(is_last ? world.size() : world.rank(), world.size()) ==
        from + fmt::format("participant \"A\": the rank (process index) {} must be from 0 to size "
                           "- 1 = {}",
                           world.size(), last));
  CHECK(says(world.rank(), world.size() + 1)
            .find(fmt::format("the size {} given to the participant differs from the size {} of "
                              "the communicator",
                              world.size() + 1, world.size())) == 0);
}

namespace {

std::vector<int> all_of(const partner::RankList& list) {
  std::vector<int> ranks;
  for (int place = 0; place < static_cast<int>(list.size()); ++place) {
    ranks.push_back(list.at(place));
  }
  return ranks;
}

} // namespace

TEST_CASE("a joint job with ranks in order is told in one run for each participant") {
  const comm::Comm world(MPI_COMM_WORLD);
  const MPI_Comm joint = MPI_COMM_WORLD;
  const bool is_a = world.rank() < (world.size() + 1) / 2;
  const comm::Comm own = world.split(is_a ? 0 : 1);
  const partner::JointJob job =
      make_joint_job({own.rank(), own.size(), nullptr, &joint}, own, is_a ? "A" : "B");
  CHECK(job.ranks.size() == (world.size() > 1 ? 2 : 1));
  for (const auto& [name, list] : job.ranks) {
    CHECK(list.runs().size() == 1);
  }
  CHECK(job.ranks.at(is_a ? "A" : "B").at(own.rank()) == world.rank());
}

TEST_CASE("a joint job knows the ranks of each participant in their order" * on_ranks(2)) {
  // the ranks of B come before those of A in the joint communicator, all in reverse
  const comm::Comm world(MPI_COMM_WORLD);
  const bool is_a = world.rank() % 2 == 0;
  MPI_Comm joint = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, (is_a ? 1000 : 0) - world.rank(), &joint);
  {
    const Launch launch{world.rank() / 2, 0, nullptr, &joint};
    const comm::Comm own = world.split(is_a ? 0 : 1);
    const partner::JointJob job = make_joint_job(launch, own, is_a ? "A" : "B");
    CHECK(job.comm.size() == world.size());
    REQUIRE(job.ranks.size() == 2);
    const int num_a = (world.size() + 1) / 2;
    const int num_b = world.size() / 2;
    std::vector<int> of_a;
    std::vector<int> of_b;
    for (int rank = 0; rank < num_a; ++rank) {
      of_a.push_back(world.size() - 1 - rank);
    }
    for (int rank = 0; rank < num_b; ++rank) {
      of_b.push_back(num_b - 1 - rank);
    }
    CHECK(all_of(job.ranks.at("A")) == of_a);
    CHECK(all_of(job.ranks.at("B")) == of_b);
    CHECK(job.ranks.at(is_a ? "A" : "B").at(launch.rank) == job.comm.rank());
  }
  MPI_Comm_free(&joint);
}
