// SPDX-License-Identifier: BSD-3-Clause
// A question to all ranks, beside a sum of flags that MPI makes.
#include "isthmus/comm/sparse/any_rank.hpp"

#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <utility>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

/// Whether a rank says yes in a round: often nobody, one, or some.
bool says_yes(int rank, int size, int round) {
  return round % 3 == 0 ? false : round % 3 == 1 ? rank == round % size : (rank + round) % 4 == 0;
}

/// How many messages each rank sends, counted by hand: one for each digit that is not zero of the
/// numbers below `size` that have one such digit, to the base `ways`.
int num_messages(int size, int ways) {
  int count = 0;
  for (int distance = 1; distance < size; ++distance) {
    int rest = distance;
    while (rest % ways == 0) {
      rest /= ways;
    }
    count += rest < ways ? 1 : 0;
  }
  return count;
}

} // namespace

TEST_CASE(
    "all ranks learn whether any of them says yes, in rounds that follow each other at once") {
  const Comm world(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const bool is_large = world.size() > 32; // then a simulated round takes long
  const int counted_rounds = is_large ? 12 : 60, quick_rounds = is_large ? 40 : 300;
  for (const int ways : {2, 3, 4, 8, 1000}) {
    AnyRank question(world, ways);
    for (int round = 0; round < counted_rounds; ++round) {
      const bool mine = says_yes(world.rank(), world.size(), round);
      Traffic traffic;
      question.begin(mine, &traffic);
      CHECK(question.under_way());
      const bool any = question.finish();
      CHECK_FALSE(question.under_way());
      CHECK(any == (allreduce(world, mine ? 1 : 0, Op::max) == 1));
      CHECK(traffic.messages == num_messages(world.size(), ways));
      CHECK(traffic.received == traffic.messages);
    }
    for (int round = 0; round < quick_rounds; ++round) { // nothing else keeps the ranks together
      const bool mine = round % 2 == 1 && world.rank() == round % world.size();
      question.begin(mine);
      CHECK(question.finish() == (round % 2 == 1));
    }
  }
  CHECK(open_handles() == before);
}

TEST_CASE("a question waits for ranks that come to it late") {
  const Comm world(MPI_COMM_WORLD);
  AnyRank question(world);
  for (int round = 0; round < 4; ++round) {
    const bool is_late = world.rank() == round % world.size();
    if (is_late) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    question.begin(is_late);
    CHECK(question.finish()); // only the late one says so
  }
}

TEST_CASE("a question that has moved goes on, and calls out of order are refused") {
  const Comm world(MPI_COMM_WORLD);
  AnyRank first(world, 3);
  CHECK_THROWS_WITH_AS((void)first.finish(), doctest::Contains("call begin() first"), Error);
  first.begin(world.is_root());
  CHECK_THROWS_WITH_AS(first.begin(false), doctest::Contains("call finish()"), Error);
  AnyRank second = std::move(first);
  CHECK(second.under_way());
  CHECK(second.finish());
  CHECK_THROWS_WITH_AS(AnyRank(world, 1), doctest::Contains("at least 2 ways, not 1"), Error);
}
