// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/remembered.hpp"

#include "comm/parcels.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

/// Both ranks next to this one on a ring.
std::vector<int> ring(const Comm& comm) {
  std::vector<int> ranks = {(comm.rank() + 1) % comm.size(),
                            (comm.rank() + comm.size() - 1) % comm.size()};
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase(ranks, comm.rank());
  return ranks;
}

void append(Remembered& remembered, const Comm& comm, int to, int round, std::size_t length) {
  remembered.append(to, content(comm.rank(), to, round, length));
}

void check_received(const Remembered::Received& received, const Comm& comm, int round,
                    std::size_t length) {
  const auto expected = content(received.rank, comm.rank(), round, length);
  CHECK(std::equal(received.bytes.begin(), received.bytes.end(), expected.begin(), expected.end()));
}

} // namespace

TEST_CASE("known partners cost one message each, whatever length changes") {
  const Comm world(MPI_COMM_WORLD);
  const std::vector<int> partners = ring(world);
  const auto k = static_cast<std::int64_t>(partners.size());
  Remembered remembered(world, partners, Opening::by_caller);
  const int open = open_handles().requests;
  const auto length = [](int round, int from) {
    return static_cast<std::size_t>(round < 200 ? (37 * round + 11 * from) % 900
                                                : (37 * round + 11 * from) % 9000);
  };
  std::int64_t twice = 0;
  for (int round = 0; round < 600; ++round) {
    CHECK_FALSE(remembered.begin(false));
    for (const int to : partners) {
      append(remembered, world, to, round, length(round, world.rank()));
    }
    Traffic traffic;
    auto next = partners.begin();
    for (const Remembered::Received& received : remembered.finish({}, &traffic)) {
      while (length(round, *next) == 0) { // nothing came
        ++next;
      }
      REQUIRE(received.rank == *next++);
      check_received(received, world, round, length(round, received.rank));
    }
    twice += traffic.messages - k;
    if (round < 200) {
      CHECK(traffic.messages == k);
      CHECK(traffic.received == k);
    }
  }
  CHECK(twice <= 4 * k); // longer than ever: 1, 2, 4, 8 KiB
  CHECK(remembered.saved().messages == 600 * k);
  CHECK(open_handles().requests == open);
}

TEST_CASE("strangers become partners, and are forgotten when they are silent") {
  const Comm world(MPI_COMM_WORLD);
  const int size = world.size();
  Remembered remembered(world);
  CHECK(remembered.begin(false) == false);
  CHECK(remembered.finish().empty());
  // the first rank writes to the last and gets an answer in the next round
  CHECK(remembered.begin(size > 1 && world.is_root()) == (size > 1 && world.is_root()));
  if (size > 1 && world.is_root()) {
    append(remembered, world, size - 1, 1, 5);
  }
  const auto all_received = remembered.finish();
  CHECK(all_received.size() == (size > 1 && world.rank() == size - 1 ? 1 : 0));
  const bool pair = size > 1 && (world.is_root() || world.rank() == size - 1);
  CHECK(remembered.partners().size() == (pair ? 1 : 0));
  for (int round = 2; round < 200; ++round) {
    CHECK_FALSE(remembered.begin(false));
    if (pair && !world.is_root() && round < 100) {
      append(remembered, world, 0, round, 3000);
    }
    const auto answer = remembered.finish();
    REQUIRE(answer.size() == (pair && world.is_root() && round < 100 ? 1 : 0));
    if (!answer.empty()) {
      check_received(answer[0], world, round, 3000);
    }
    CHECK(remembered.partners().size() == (pair && round < 163 ? 1 : 0));
  }
}

TEST_CASE("a wish spreads with the messages to partners") {
  const Comm world(MPI_COMM_WORLD);
  const int size = world.size();
  const int steps = std::max(1, size / 2);
  Remembered remembered(world, ring(world), Opening::later, steps);
  for (int wisher = 0; wisher < size; wisher += std::max(1, size / 4)) {
    int opened = -1;
    for (int round = 0; round < steps + 3; ++round) {
      // another rank wishes the same while the first wish is still on its way
      const bool wish = (round == 0 && world.rank() == wisher) ||
                        (round == 1 && world.rank() == (wisher + 1) % size);
      const bool open = remembered.begin(wish && (round == 0 || opened < 0));
      if (open) {
        CHECK(opened == (size == 1 && round == 1 ? 0 : -1));
        opened = round;
        remembered.append((world.rank() + size / 2) % size, content(world.rank(), 0, 0, 4));
      }
      CHECK(remembered.finish().size() == (open ? 1 : 0));
    }
    CHECK(opened == (size == 1 ? 0 : steps));
    CHECK(allreduce(world, opened, Op::max) == allreduce(world, opened, Op::min));
  }
}

TEST_CASE("a failure of one rank is thrown by all in the open round") {
  const Comm world(MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    Remembered remembered(world, ring(world));
    const bool mine = world.rank() == world.size() - 1;
    CHECK(remembered.begin(mine) == mine);
    CHECK_THROWS_WITH_AS(
        (void)remembered.finish(mine ? std::optional<std::string>("no position") : std::nullopt),
        doctest::Contains("no position"), Error);
  }
}

TEST_CASE("a stranger cannot be reached in a round that is not open") {
  const Comm world(MPI_COMM_WORLD);
  Remembered remembered(world);
  remembered.begin(false);
  CHECK_THROWS_AS(remembered.append(world.size(), content(0, 0, 0, 1)), Error);
  CHECK(remembered.finish().empty());
}
