// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/morton.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>

using namespace isthmus;
using namespace isthmus::geometry;

TEST_CASE("keys interleave the bits of the cells") {
  const MortonGrid cube(3, {{0.0, 0.0, 0.0}, {8.0, 4.0, 8.0}});
  const std::uint64_t of_cube = std::uint64_t{1} << 63; // 21 bits per axis
  CHECK(cube.key({0.0, 0.0, 0.0}) == 0);
  CHECK(cube.key({4.0, 0.0, 0.0}) == of_cube / 8);
  CHECK(cube.key({0.0, 4.0, 0.0}) == of_cube / 4);
  CHECK(cube.key({0.0, 0.0, 4.0}) == of_cube / 2);
  CHECK(cube.key({8.0, 8.0, 8.0}) == of_cube - 1);
  CHECK(cube.key({-5.0, -5.0, -5.0}) == 0);
  const MortonGrid square(2, {{1.0, 1.0, 0.0}, {2.0, 3.0, 0.0}});
  const std::uint64_t of_square = std::uint64_t{1} << 62; // 31 bits per axis
  CHECK(square.key({2.0, 1.0, 0.0}) == of_square / 4);
  CHECK(square.key({1.0, 2.0, 0.0}) == of_square / 2);
}

TEST_CASE("points share the first key of a cell where they lie in one cell") {
  for (const int dim : {2, 3}) {
    const auto coords = clouds::uniform(dim, 300, 70);
    const Box box = bounding_box(dim, coords);
    const MortonGrid grid(dim, box);
    for (const int level : {0, 1, 3, 6}) {
      const double cells = std::ldexp(1.0, level);
      const auto cell_of = [&](const Point& p) {
        std::array<int, 3> cell{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
          const double cell_along = (p[k] - box.lo[k]) / box.longest_edge() * cells;
          cell[k] = static_cast<int>(std::min(cell_along, cells - 1));
        }
        return cell;
      };
      const Point center = point_at(dim, coords, 17);
      const std::uint64_t first = grid.first_key(grid.key(center), level);
      CHECK(grid.first_key(first, level) == first);
      for (std::size_t i = 0; i < 300; ++i) {
        const Point p = point_at(dim, coords, i);
        const std::uint64_t key = grid.key(p);
        CHECK((grid.first_key(key, level) == first) == (cell_of(p) == cell_of(center)));
        CHECK(grid.first_key(key, level) <= key);
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
