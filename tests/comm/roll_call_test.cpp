// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/roll_call.hpp"

#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/comm/collective.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace isthmus;
using namespace isthmus::comm;

TEST_CASE("ranks that leave after equally many steps leave in peace") {
  const Comm world(MPI_COMM_WORLD);
  for (const std::int64_t steps : {0, 1, 1000000}) {
    const Handles before = open_handles();
    RollCall roll(world);
    CHECK(roll.is_complete(steps)); // nobody has left
    barrier(world);
    CHECK_NOTHROW(roll.leave(steps));
    CHECK(open_handles() == before);
    barrier(world);
  }
  const Comm serial;
  RollCall alone(serial);
  CHECK(alone.is_complete(3));
  CHECK_NOTHROW(alone.leave(2));
}

#ifndef ISTHMUS_SIMULATED // nobody errs there
TEST_CASE("who has left is missed in the first step that it does not make" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  RollCall roll(world);
  if (world.rank() != 1) {
    roll.leave(4);
    return;
  }
  while (roll.is_complete(5)) { // until the word of rank 0 is there
  }
  CHECK_FALSE(roll.is_complete(5));
  CHECK(roll.is_complete(4)); // which it has made
  CHECK_NOTHROW(roll.leave(4));
}

TEST_CASE("a rank that leaves too early is named, and all ranks end" * on_ranks(2)) {
  const MayLeak kept;
  const Comm world(MPI_COMM_WORLD);
  world.keep(); // unfinished operations
  RollCall roll(world);
  const std::int64_t steps = world.is_root() ? 3 : 4;
  if (world.rank() == 1) {
    while (roll.is_complete(4)) {
    }
  }
  std::string said;
  try {
    roll.leave(steps);
  } catch (const Error& error) { // of its own, or of another rank
    said = error.what();
    raise_alarm(world, said);
  }
  if (world.rank() == 1) {
    CHECK(said ==
          "rank 0 has called finalize() after 3 calls of initialize() and advance(), this one "
          "after 4; all ranks must call them equally often");
  }
  CHECK(said.find(" has called finalize() after ") != std::string::npos);
}
#endif
