// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/morton.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::geometry;

TEST_CASE("keys interleave the bits of the cells") {
  const MortonGrid cube(3, {{0.0, 0.0, 0.0}, {8.0, 4.0, 8.0}});
  CHECK(cube.key({0.0, 0.0, 0.0}) == 0);
  CHECK(cube.key({4.0, 0.0, 0.0}) == cube.key_end() / 8);
  CHECK(cube.key({0.0, 4.0, 0.0}) == cube.key_end() / 4);
  CHECK(cube.key({0.0, 0.0, 4.0}) == cube.key_end() / 2);
  CHECK(cube.key({8.0, 8.0, 8.0}) == cube.key_end() - 1);
  CHECK(cube.key({-5.0, -5.0, -5.0}) == 0);
  const MortonGrid square(2, {{1.0, 1.0, 0.0}, {2.0, 3.0, 0.0}});
  CHECK(square.key({2.0, 1.0, 0.0}) == square.key_end() / 4);
  CHECK(square.key({1.0, 2.0, 0.0}) == square.key_end() / 2);
}

TEST_CASE("the points of a cell are those with keys in its range") {
  for (const int dim : {2, 3}) {
    const auto coords = clouds::uniform(dim, 300, 70);
    const MortonGrid grid(dim, bounding_box(dim, coords));
    for (const int level : {0, 1, 3, 6}) {
      const std::uint64_t center = grid.key(point_at(dim, coords, 17));
      const Box cell = grid.cell(center, level);
      const KeyRange range = grid.range(center, level);
      for (std::size_t i = 0; i < 300; ++i) {
        const Point p = point_at(dim, coords, i);
        const std::uint64_t key = grid.key(p);
        CHECK(cell.contains(p) == (range.begin <= key && key < range.end));
      }
    }
  }
}

TEST_CASE("the curve order is that of the keys and counts every point once") {
  for (const int dim : {2, 3}) {
    auto coords = clouds::uniform(dim, 3000, 71);
    const auto order = curve_order(dim, coords);
    const MortonGrid grid(dim, bounding_box(dim, coords));
    for (std::size_t i = 1; i < order.size(); ++i) {
      CHECK(grid.key(point_at(dim, coords, std::size_t(order[i - 1]))) <=
            grid.key(point_at(dim, coords, std::size_t(order[i]))));
    }
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      REQUIRE(sorted[i] == LocalIndex(i));
    }
  }
}

TEST_CASE("crowded cells are ordered by a finer curve") {
  auto coords = clouds::uniform(3, 200, 72, 1e-9);
  coords.insert(coords.end(), {1.0, 1.0, 1.0});
  auto expected = curve_order(3, std::vector<double>(coords.begin(), coords.end() - 3));
  expected.push_back(200);
  CHECK(curve_order(3, coords) == expected);
}

TEST_CASE("odd inputs of the curve order") {
  CHECK(curve_order(3, {}).empty());
  CHECK(curve_order(2, std::vector<double>{1.0, 2.0}) == std::vector<LocalIndex>{0});
  CHECK(curve_order(2, std::vector<double>(200, 1.0)).size() == 100);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(curve_order(2, std::vector<double>{nan, 0.0, Box::infinity, 1.0, -1e300, 1e300}).size() ==
        3);
}
