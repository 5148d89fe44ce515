// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/bricks.hpp"

#include "isthmus/base/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

using namespace isthmus;
using namespace isthmus::exchange;

namespace {

std::vector<Position> cloud(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Position> positions(count);
  for (Position& at : positions) {
    at = {2 * uniform(random) * uniform(random), uniform(random), uniform(random)};
  }
  return positions;
}

/// Distance in x or y, the larger one, of a position from the part of a brick that a fine raster
/// finds.
double distance(const Bricks& bricks, int rank, const Position& at) {
  double least = 1e300;
  constexpr int n = 120;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const Position raster = {-0.2 + 2.4 * i / n, -0.2 + 1.4 * j / n, 0};
      if (bricks.owner(raster) == rank) {
        least = std::min(least, std::max(std::abs(raster[0] - at[0]), std::abs(raster[1] - at[1])));
      }
    }
  }
  return least;
}

} // namespace

TEST_CASE("bricks near a position are those that a raster finds") {
  const Bricks bricks({0.5, 0.5, 1.1}, {{0.2, 0.6}, {0.3}, {}, {0.1, 0.4, 0.4}});
  REQUIRE(bricks.size() == 10);
  const double fine = 0.021; // of the raster
  std::vector<int> near;
  for (const Position& at : cloud(1, 40)) {
    bricks.near(at, 0.15, near);
    CHECK(std::is_sorted(near.begin(), near.end()));
    CHECK(std::binary_search(near.begin(), near.end(), bricks.owner(at)));
    for (int rank = 0; rank < bricks.size(); ++rank) {
      const double d = distance(bricks, rank, at);
      const bool found = std::binary_search(near.begin(), near.end(), rank);
      CHECK((found || d > 0.15 - fine));
      CHECK((!found || d < 0.15 + fine));
    }
  }
}

TEST_CASE("neighbours name each other and reach whom their particles need") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<Position> positions = cloud(seed, 500);
    const Bricks bricks = balanced_bricks(comm::Comm(), 23, positions, 0.03);
    REQUIRE(bricks.size() == 23);
    std::vector<std::vector<int>> neighbours;
    for (int rank = 0; rank < bricks.size(); ++rank) {
      neighbours.push_back(bricks.neighbours(rank, 0.1, seed % 2 == 1));
      CHECK(std::is_sorted(neighbours.back().begin(), neighbours.back().end()));
      CHECK_FALSE(std::binary_search(neighbours.back().begin(), neighbours.back().end(), rank));
    }
    const auto name = [&](int a, int b) {
      const auto& list = neighbours[static_cast<std::size_t>(a)];
      return std::binary_search(list.begin(), list.end(), b);
    };
    for (int a = 0; a < bricks.size(); ++a) {
      for (int b = 0; b < bricks.size(); ++b) {
        CHECK(name(a, b) == name(b, a));
      }
    }
    std::vector<int> near;
    for (const Position& at : positions) {
      bricks.near(at, 0.1, near);
      for (const int rank : near) {
        CHECK((rank == bricks.owner(at) || name(bricks.owner(at), rank)));
      }
    }
    if (seed % 2 == 0) {
      continue;
    }
    // nobody is further away than promised
    std::vector<int> steps(23, -1);
    std::vector<int> wave = {0};
    steps[0] = 0;
    while (!wave.empty()) {
      const int from = wave.front();
      wave.erase(wave.begin());
      for (const int to : neighbours[static_cast<std::size_t>(from)]) {
        if (int& there = steps[static_cast<std::size_t>(to)]; there < 0) {
          there = steps[static_cast<std::size_t>(from)] + 1;
          wave.push_back(to);
        }
      }
    }
    CHECK(*std::min_element(steps.begin(), steps.end()) == 0);
    CHECK(*std::max_element(steps.begin(), steps.end()) <= bricks.steps());
  }
}

TEST_CASE("bricks are balanced, and the same however positions are spread") {
  const comm::Comm world(MPI_COMM_WORLD);
  const std::vector<Position> all = cloud(7, 4000);
  std::vector<Position> own;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(i * i % 7) % world.size() == world.rank()) {
      own.push_back(all[i]);
    }
  }
  const Bricks bricks = balanced_bricks(world, 12, own, 0.01);
  const Bricks serial = balanced_bricks(comm::Comm(), 12, all, 0.01);
  std::vector<int> counts(12);
  for (const Position& at : all) {
    CHECK(bricks.owner(at) == serial.owner(at));
    ++counts[static_cast<std::size_t>(bricks.owner(at))];
  }
  CHECK(*std::max_element(counts.begin(), counts.end()) < 1.05 * 4000 / 12);
  CHECK(balanced_bricks(world, 5, {}, 0.01).size() == 5); // nothing to balance
}

TEST_CASE("bricks are balanced by weights, and the same however positions are spread") {
  const comm::Comm world(MPI_COMM_WORLD);
  const std::vector<Position> all = cloud(9, 4000);
  const auto weight = [](const Position& at) { return at[0] < 0.3 ? std::int64_t{9} : 1; };
  std::vector<Position> own;
  std::vector<std::int64_t> weights;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (static_cast<int>(i) % world.size() == world.rank()) {
      own.push_back(all[i]);
      weights.push_back(weight(all[i]));
    }
  }
  const Bricks bricks = balanced_bricks(world, 12, own, 0.002, weights);
  std::vector<std::int64_t> all_weights;
  for (const Position& at : all) {
    all_weights.push_back(weight(at));
  }
  const Bricks serial = balanced_bricks(comm::Comm(), 12, all, 0.002, all_weights);
  std::vector<std::int64_t> sums(12);
  for (const Position& at : all) {
    CHECK(bricks.owner(at) == serial.owner(at));
    sums[static_cast<std::size_t>(bricks.owner(at))] += weight(at);
  }
  const auto sum = static_cast<double>(std::accumulate(sums.begin(), sums.end(), std::int64_t{0}));
  CHECK(static_cast<double>(*std::max_element(sums.begin(), sums.end())) < 1.05 * sum / 12);
  CHECK_THROWS_AS(balanced_bricks(comm::Comm(), 2, all, 0.01, std::vector<std::int64_t>{1}), Error);
}

TEST_CASE("cuts that are out of order are refused") {
  CHECK_THROWS_AS(Bricks({1, 0}, {{}, {}, {}}), Error);
  CHECK_THROWS_AS(Bricks({1}, {{}}), Error);
  CHECK_THROWS_AS(Bricks({}, {{2, 1}}), Error);
}
