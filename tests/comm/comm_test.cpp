// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/comm.hpp"

#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/collective.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <utility>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

int compare(MPI_Comm a, MPI_Comm b) {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(a, b, &result);
  return result;
}

} // namespace

TEST_CASE("a communicator has the ranks of its parent and a world of messages of its own") {
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Comm comm(MPI_COMM_WORLD);
  CHECK(comm.rank() == rank);
  CHECK(comm.size() == size);
  CHECK(comm.is_root() == (rank == 0));
  CHECK(compare(comm.raw(), MPI_COMM_WORLD) == MPI_CONGRUENT);
  const Comm other(comm.raw());
  CHECK(compare(comm.raw(), other.raw()) == MPI_CONGRUENT);
}

TEST_CASE("a serial communicator is one rank without MPI, and so is a part of it") {
  const Comm serial;
  CHECK(serial.rank() == 0);
  CHECK(serial.size() == 1);
  CHECK(serial.is_root());
  CHECK(serial.raw() == MPI_COMM_NULL);
  const Comm part = serial.split(7);
  CHECK(part.raw() == MPI_COMM_NULL);
  CHECK(part.size() == 1);
}

TEST_CASE("a part has the ranks of one colour in their order") {
  const Comm world(MPI_COMM_WORLD);
  const int color = world.rank() % 3;
  const Comm part = world.split(color);
  std::vector<int> expected;
  for (int rank = color; rank < world.size(); rank += 3) {
    expected.push_back(rank);
  }
  CHECK(part.rank() == world.rank() / 3);
  CHECK(allgather(part, world.rank()) == expected);
}

TEST_CASE("a communicator is freed by its last owner") {
  const Handles before = open_handles();
  {
    Comm first(MPI_COMM_WORLD);
    const MPI_Comm raw = first.raw();
    const int rank = first.rank();
    const int size = first.size();
    Comm second(std::move(first));
    CHECK(first.raw() == MPI_COMM_NULL); // NOLINT(bugprone-use-after-move): it is serial then
    CHECK(first.size() == 1);
    Comm third;
    third = std::move(second);
    CHECK(third.raw() == raw);
    CHECK(third.rank() == rank);
    CHECK(third.size() == size);
    CHECK(open_handles().communicators == before.communicators + 1);
  }
  CHECK(open_handles() == before);
}

TEST_CASE("one with unfinished operations is left to MPI unless they are completed") {
  const MayLeak kept;
  const int before = open_handles().communicators;
  { // NOLINTNEXTLINE(bugprone-unused-local-non-trivial-variable)
    const Comm comm(MPI_COMM_WORLD);
    comm.keep();
    comm.keep();
    comm.let_go();
  }
  CHECK(open_handles().communicators == before + 1);
  {
    const Comm comm(MPI_COMM_WORLD);
    comm.keep();
    comm.let_go();
  }
  CHECK(open_handles().communicators == before + 1);
}

TEST_CASE("rounds have parities in turn, the same on all ranks") {
  const Comm world(MPI_COMM_WORLD);
  int before = world.next_parity();
  for (int round = 0; round < 5; ++round) {
    const int parity = world.next_parity();
    CHECK(parity == 1 - before);
    CHECK(allreduce(world, parity, Op::max) == allreduce(world, parity, Op::min));
    before = parity;
  }
}

TEST_CASE("a look calls the watch, and what that throws comes out") {
  Comm comm(MPI_COMM_WORLD);
  CHECK(comm.progress_timeout() == 3600);
  CHECK_NOTHROW(comm.look());
  int looks = 0;
  comm.set_watch([&looks] { check(++looks < 3, "a partner crashed"); }, 12);
  CHECK(comm.progress_timeout() == 12);
  comm.look();
  Comm moved(std::move(comm));
  moved.look();
  CHECK(looks == 2);
  CHECK_THROWS_WITH_AS(moved.look(), "a partner crashed", Error);
  CHECK(moved.progress_timeout() == 12);
  CHECK(moved.alarm().empty());
}

TEST_CASE("messages of different purposes have different tags") {
  std::multiset<int> tags{tag_route, tag_message, tag_alarm, tag_neighbour,
                          tag_rest,  tag_counted, tag_text,  tag_roll};
  for (const int parity : {0, 1}) {
    tags.insert({tag_round + parity, tag_bulk + parity});
  }
  for (int stream = 0; stream < 8; ++stream) {
    tags.insert(tag_reduce + stream);
  }
  CHECK(tags.size() == std::set<int>(tags.begin(), tags.end()).size());
  CHECK(*tags.begin() >= 0);
  CHECK(*tags.rbegin() <= 32767); // what every MPI allows
}
