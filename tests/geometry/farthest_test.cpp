// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/farthest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::geometry;

namespace {

std::vector<double> cloud(int dim, int count, double low, double high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<double> points(static_cast<std::size_t>(dim * count));
  std::generate(points.begin(), points.end(), [&] { return draw(engine); });
  return points;
}

/// The largest distance of many places in a box to the nearest point.
double sampled(int dim, const std::vector<double>& points, const Box& box) {
  constexpr int steps = 30;
  double farthest2 = 0;
  for (int i = 0; i < steps * steps * (dim == 3 ? steps : 1); ++i) {
    const std::array<int, 3> at{i % steps, i / steps % steps, i / steps / steps};
    Point place{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
      place[k] = box.lo[k] + (box.hi[k] - box.lo[k]) * at[k] / (steps - 1);
    }
    double nearest2 = Box::infinity;
    for (std::size_t p = 0; p < point_count(dim, points); ++p) {
      const Point other = point_at(dim, points, p);
      nearest2 =
          std::min(nearest2, std::pow(place[0] - other[0], 2) + std::pow(place[1] - other[1], 2) +
                                 std::pow(place[2] - other[2], 2));
    }
    farthest2 = std::max(farthest2, nearest2);
  }
  return std::sqrt(farthest2);
}

} // namespace

TEST_CASE("no place in a box is farther from all points than the bound says") {
  for (const int dim : {2, 3}) {
    const double depth = dim == 3 ? 1.0 : 0.0;
    for (const int count : {1, 2, 30, 400}) {
      for (const double high : {1.0, 0.1}) { // all over the box, or in a corner of it
        const std::vector<double> points = cloud(dim, count, 0, high, 3);
        const Box box{{0, 0, 0}, {1, 1, depth}};
        const double bound = farthest_from(dim, points, box);
        const double farthest = sampled(dim, points, box);
        CHECK(bound >= farthest);
        CHECK(bound <= 2.5 * farthest);
      }
    }
    const std::vector<double> outside = cloud(dim, 50, 2, 3, 4);
    const Box box{{0, 0, 0}, {1, 0.001, 0}}; // thin
    CHECK(farthest_from(dim, outside, box) >= sampled(dim, outside, box));
    CHECK(farthest_from(dim, outside, box) <= 1.6 * sampled(dim, outside, box));
  }
}

TEST_CASE("a box that is a place has the distance of the nearest point, without points infinity") {
  const Box place{{0, 0, 0}, {0, 0, 0}};
  CHECK(farthest_from(2, std::vector<double>{3, 4, 6, 8}, place) == 5);
  CHECK(farthest_from(2, {}, place) == Box::infinity);
  CHECK(farthest_from(3, std::vector<double>{0, 0, 0}, place) == 0);
}
