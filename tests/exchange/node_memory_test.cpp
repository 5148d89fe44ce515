// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/sums/node_memory.hpp"

#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

using namespace isthmus;

#ifndef ISTHMUS_SIMULATED // where ranks do not share memory
TEST_CASE("the ranks of one computer find each other once, and those of a part only each other") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Handles before = open_handles();
  std::vector<int> all(static_cast<std::size_t>(comm.size()));
  std::iota(all.begin(), all.end(), 0);
  CHECK(exchange::ranks_here(comm) == all);
  CHECK(exchange::is_one_computer(comm));
  {
    const comm::Comm part = comm.split(comm.rank() % 2);
    CHECK(exchange::ranks_here(part).size() == static_cast<std::size_t>(part.size()));
  }
  if (comm.is_root()) {
    CHECK(exchange::ranks_here(comm) == all); // without the others
  }
  CHECK(exchange::ranks_here(comm::Comm()) == std::vector<int>{0});
  CHECK(open_handles() == before);
}

TEST_CASE("common memory leaves no file open, also where it has ended on one rank only") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto num_open = [] {
    using Files = std::filesystem::directory_iterator;
    return std::distance(Files("/proc/self/fd"), Files());
  };
  static_cast<void>(exchange::ranks_here(comm));
  const auto before = num_open();
  for (int round = 0; round < 20; ++round) {
    const exchange::NodeMemory memory(comm, 100);
    CHECK(num_open() == before);
  }
}

TEST_CASE("what is published in common memory is read as often as it was, by whoever likes") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto size = static_cast<std::size_t>(3 + comm.rank()); // of each rank another
  exchange::NodeMemory memory(comm, size);
  std::set<int> places;
  for (int rank = 0; rank < comm.size(); ++rank) {
    places.insert(memory.local_rank(rank));
  }
  CHECK(places.size() == static_cast<std::size_t>(comm.size()));
  CHECK(*places.begin() == 0);
  CHECK(*places.rbegin() == comm.size() - 1);
  double* before = nullptr;
  for (int round = 1; round < 50; ++round) {
    double* const slot = memory.next_slot();
    CHECK(slot != before); // whoever is late still reads the other one
    before = slot;
    for (std::size_t i = 0; i < size; ++i) {
      slot[i] = 1000 * round + 10 * comm.rank() + static_cast<double>(i);
    }
    memory.publish();
    for (int rank = comm.size() - 1; rank >= 0; --rank) {
      const double* const theirs = memory.published(memory.local_rank(rank));
      for (int i = 0; i < 3 + rank; ++i) {
        CHECK(theirs[i] == 1000 * round + 10 * rank + i);
      }
    }
  }
}

TEST_CASE("a rank that never publishes is not waited for longer than allowed" * on_ranks(2)) {
  comm::Comm comm(MPI_COMM_WORLD);
  exchange::NodeMemory memory(comm, 1);
  if (comm.is_root()) {
    *memory.next_slot() = 1;
    memory.publish();
    const auto read = [&memory] { static_cast<void>(memory.published(memory.local_rank(1))); };
    comm.set_watch({}, 0.01);
    CHECK(message_of(read) ==
          "rank 0 waited 0.01 s for partial sums of another rank: do all of them call the same "
          "functions? ISTHMUS_PATIENCE sets the limit in seconds");
    comm.set_watch([] { throw Error("a partner crashed"); }, 60);
    CHECK(message_of(read) == "a partner crashed");
  }
  comm.set_watch({}, 60);
  comm::barrier(comm);
}
#endif
