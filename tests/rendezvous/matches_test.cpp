// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/grid.hpp"

#include "isthmus/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace isthmus;
using namespace isthmus::rendezvous;
using geometry::Box;

namespace {

rendezvous::Delta random_delta(rendezvous::Side side, int rank, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  rendezvous::Delta delta{side, rank, {}, {}, std::vector<Box>(1 + random() % 4)};
  for (Box& box : delta.added) {
    const double edge = std::pow(10.0, -1.5 * unit(random));
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = k < 2 ? 2.0 * unit(random) - 1.0 : 0.0;
      box.hi[k] = box.lo[k] + edge * unit(random);
    }
  }
  return delta;
}

int pairs_that_meet(const std::vector<rendezvous::Delta>& deltas) {
  int pairs = 0;
  for (const rendezvous::Delta& a : deltas) {
    for (const rendezvous::Delta& b : deltas) {
      if (a.side == rendezvous::Side::provider && b.side == rendezvous::Side::receiver) {
        for (const Box& box : a.added) {
          pairs += static_cast<int>(
              std::count_if(b.added.begin(), b.added.end(),
                            [&box](const Box& candidate) { return box.intersects(candidate); }));
        }
      }
    }
  }
  return pairs;
}

/// Sum of the changes that both sides learn of.
int apply_all(std::vector<rendezvous::Matches>& owners,
              const std::vector<rendezvous::Delta>& deltas) {
  int sum = 0;
  for (rendezvous::Matches& owner : owners) {
    for (const rendezvous::Note& note : owner.apply(deltas)) {
      sum += note.change;
    }
  }
  return sum;
}

} // namespace

TEST_CASE("every pair of boxes that meet is counted by exactly one owner") {
  std::mt19937 random(1);
  std::vector<rendezvous::Delta> deltas;
  rendezvous::Grid grid;
  for (int rank = 0; rank < 80; ++rank) {
    deltas.push_back(random_delta(
        rank % 3 == 0 ? rendezvous::Side::provider : rendezvous::Side::receiver, rank, random));
    for (const Box& box : deltas.back().added) {
      grid.insert(deltas.back().side, box);
    }
  }
  std::vector<rendezvous::Matches> owners;
  for (int rank = 0; rank < 7; ++rank) {
    owners.emplace_back(grid, rank, 7);
  }
  const std::size_t empty = owners[0].memory();
  const int pairs = pairs_that_meet(deltas);
  REQUIRE(pairs > 100);
  CHECK(apply_all(owners, deltas) == 2 * pairs);

  // What is taken away again leaves nothing behind.
  for (rendezvous::Delta& delta : deltas) {
    std::swap(delta.added, delta.removed);
  }
  CHECK(apply_all(owners, deltas) == -2 * pairs);
  CHECK(owners[0].memory() == empty);
  CHECK_THROWS_AS(apply_all(owners, deltas), Error);
}

TEST_CASE("a box touches few cells of its level, and they cover it") {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    for (const Box& box : random_delta(rendezvous::Side::provider, 0, random).added) {
      const rendezvous::CellRange range = rendezvous::cells_of(box, rendezvous::level_of(box));
      CHECK(range.size() <= 8);
      CHECK(rendezvous::cell_at(rendezvous::level_of(box), box.center()).at >= range.lo.at);
      CHECK(rendezvous::cell_at(rendezvous::level_of(box), box.center()).at <= range.hi.at);
    }
  }
  const double inf = Box::infinity;
  CHECK(rendezvous::level_of({{-inf, 0, 0}, {inf, 0, 0}}) == rendezvous::Cell::top);
  CHECK(rendezvous::cells_of({{-inf, 0, 0}, {inf, 0, 0}}, rendezvous::Cell::top).size() == 1);
  CHECK(rendezvous::level_of({{0, 0, 0}, {1, 1, 0}}) == 0);
  CHECK(rendezvous::level_of({{0, 0, 0}, {1.01, 1, 0}}) == 1);
  CHECK(rendezvous::level_of({{0, 0, 0}, {0, 0, 0}}) == rendezvous::Cell::bottom);
}

TEST_CASE("levels") {
  rendezvous::Levels levels;
  CHECK(levels.empty());
  levels.insert(-3);
  levels.insert(rendezvous::Cell::top);
  CHECK(levels.contains(-3));
  CHECK_FALSE(levels.contains(-4));
  CHECK(levels.lowest() == -3);
  CHECK(levels.at_least(-10) == -3);
  CHECK(levels.at_least(-3) == -3);
  CHECK(levels.at_least(-2) == rendezvous::Cell::top);
  rendezvous::Levels one;
  one.insert(2);
  CHECK(one.at_least(5) == 2);
}
