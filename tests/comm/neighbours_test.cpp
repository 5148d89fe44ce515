// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/neighbours.hpp"

#include "comm/parcels.hpp"
#include "handles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace isthmus;
using namespace isthmus::comm;

namespace {

/// All ranks but the own one, or of many those that are near on a ring.
std::vector<int> others(const Comm& comm) {
  std::vector<int> ranks;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int apart = std::abs(rank - comm.rank());
    if (apart != 0 && std::min(apart, comm.size() - apart) <= 8) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

bool is_content(std::span<const std::byte> bytes, int from, int to, int round, std::size_t size) {
  const std::vector<std::byte> expected = content(from, to, round, size);
  return std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end());
}

constexpr std::size_t first_room = 1024 - 16; // bytes that one message has beside its header

} // namespace

TEST_CASE("a message of any length comes from each neighbour, with a note") {
  const Comm world(MPI_COMM_WORLD);
  const Handles before = open_handles();
  const std::vector<int> ranks = others(world);
  Neighbours neighbours(world, ranks);
  REQUIRE(neighbours.size() == ranks.size());
  const auto length = [](int from, int to, int round) {
    const std::size_t lengths[] = {0, 1, first_room, 0, 5000, 20, 70000, 69999};
    return lengths[static_cast<std::size_t>(from + 2 * to + round) % 8];
  };
  for (int round = 0; round < 300; round += round < 20 ? 1 : 7) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const auto whole =
          content(world.rank(), ranks[i], round, length(world.rank(), ranks[i], round));
      const auto bytes = std::span(whole);
      neighbours.append(i, bytes.first(bytes.size() / 3)); // in pieces
      neighbours.append(i, bytes.subspan(bytes.size() / 3));
      CHECK(neighbours.waiting(i) == whole.size());
    }
    neighbours.exchange(static_cast<std::uint32_t>(100 * round + world.rank()));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      CHECK(neighbours.note(i) == static_cast<std::uint32_t>(100 * round + ranks[i]));
      CHECK(is_content(neighbours.arrived(i), ranks[i], world.rank(), round,
                       length(ranks[i], world.rank(), round)));
      CHECK(neighbours.waiting(i) == 0);
    }
  }
  CHECK(open_handles() == before);
}

TEST_CASE("only a message that is longer than all before takes two of MPI" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  const std::vector<int> ranks = others(world);
  const auto k = static_cast<std::int64_t>(ranks.size());
  Neighbours neighbours(world, ranks);
  struct Step {
    std::size_t length;
    int messages;
  };
  const Step steps[] = {{0, 1},      {first_room, 1}, {first_room + 1, 2}, {2 * 1024 - 16, 1},
                        {3000, 2},   {10, 1},         {4 * 1024 - 16, 1},  {100000, 2},
                        {131000, 1}, {first_room, 1}};
  int round = 0;
  for (const Step& step : steps) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      neighbours.append(i, content(world.rank(), ranks[i], round, step.length));
    }
    Traffic traffic;
    neighbours.exchange(0, &traffic);
    CAPTURE(step.length);
    CHECK(traffic.messages == step.messages * k);
    CHECK(traffic.received == step.messages * k);
    CHECK(traffic.bytes == static_cast<std::int64_t>(step.length + 16) * k);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      CHECK(is_content(neighbours.arrived(i), ranks[i], world.rank(), round, step.length));
    }
    ++round;
  }
}

TEST_CASE("neighbours come and go; what is known of those that stay is kept" * on_ranks(2)) {
  const Comm world(MPI_COMM_WORLD);
  const std::vector<int> ranks = others(world);
  const int pair = world.rank() ^ 1; // 0 with 1, 2 with 3
  const bool has_pair = pair < world.size();
  std::vector<int> only_pair;
  if (has_pair) {
    only_pair.push_back(pair);
  }
  Neighbours neighbours(world, {});
  CHECK(neighbours.size() == 0);
  CHECK(neighbours.find(pair) == 0);
  neighbours.exchange();
  const auto talk = [&](int round, std::size_t length) {
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      neighbours.append(i, content(world.rank(), neighbours.rank(i), round, length));
    }
    Traffic traffic;
    neighbours.exchange(0, &traffic);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      CHECK(is_content(neighbours.arrived(i), neighbours.rank(i), world.rank(), round, length));
    }
    return traffic.messages;
  };
  if (has_pair) {
    neighbours.insert(pair);
  }
  talk(1, 5000);
  neighbours.reset(ranks);
  REQUIRE(neighbours.size() == ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    CHECK(neighbours.rank(i) == ranks[i]);
    CHECK(neighbours.find(ranks[i]) == i);
  }
  CHECK(neighbours.find(world.rank()) == neighbours.size());
  const int num_new = static_cast<int>(ranks.size()) - (has_pair ? 1 : 0);
  CHECK(talk(2, 5000) == 2 * num_new + (has_pair ? 1 : 0)); // the pair knows this length
  neighbours.reset(only_pair);
  CHECK(neighbours.size() == only_pair.size());
  CHECK(talk(3, 5000) == (has_pair ? 1 : 0));
  if (has_pair) {
    neighbours.erase(pair);
    CHECK(neighbours.size() == 0);
    neighbours.insert(pair); // as new
    CHECK(neighbours.arrived(0).empty());
  }
  CHECK(talk(4, 5000) == (has_pair ? 2 : 0));
}

TEST_CASE("a rank that cannot be a neighbour is refused") {
  const Comm world(MPI_COMM_WORLD);
  const std::vector<int> ranks = others(world);
  Neighbours neighbours(world, ranks);
  std::vector<int> wrong{-1, world.rank(), world.size()};
  wrong.insert(wrong.end(), ranks.begin(), ranks.end()); // are some already
  for (const int rank : wrong) {
    CHECK(message_of([&] { neighbours.insert(rank); }) ==
          fmt::format("rank {} cannot become a neighbour of rank {} of {}", rank, world.rank(),
                      world.size()));
  }
  CHECK(neighbours.size() == ranks.size());
}

#ifndef ISTHMUS_SIMULATED // nobody errs there
TEST_CASE("neighbours that are in different rounds notice it" * on_ranks(2)) {
  const MayLeak kept;
  const Comm world(MPI_COMM_WORLD);
  world.keep();
  if (world.rank() > 1) {
    return;
  }
  const int other = 1 - world.rank();
  Neighbours neighbours(world, std::span(&other, 1));
  for (int round = 0; round < 3; ++round) {
    neighbours.exchange();
  }
  if (world.is_root()) { // begins anew, which the other one does not know
    neighbours.erase(other);
    neighbours.insert(other);
  }
  const std::string said = message_of([&neighbours] { neighbours.exchange(); });
  CHECK(said == fmt::format("rank {} is in round {} of its messages to rank {}, which is in round "
                            "{} (modulo 256): do all ranks call the same functions?",
                            other, world.is_root() ? 3 : 0, world.rank(), world.is_root() ? 0 : 3));
}
#endif
