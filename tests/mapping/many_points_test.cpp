// SPDX-License-Identifier: BSD-3-Clause
// Points are mapped in blocks, on several threads: as if each had been asked for alone.
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include "mapping/grid_triangles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;

namespace {

/// n x n points of the unit square with triangles.
mesh::Mesh square(int n) {
  mesh::Mesh mesh("Square", 2);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      mesh.add_vertices(
          std::vector{static_cast<double>(i) / (n - 1), static_cast<double>(j) / (n - 1)});
    }
  }
  mesh.add_triangles(grid_triangles(n));
  return mesh;
}

/// A spiral of points, some of them outside of the square.
std::vector<double> spiral(std::size_t count) {
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 0.7 * static_cast<double>(i);
    const double radius = 0.8 * static_cast<double>(i) / static_cast<double>(count);
    points.push_back(0.5 + radius * std::cos(angle));
    points.push_back(0.5 + radius * std::sin(angle));
  }
  return points;
}

/// Every 7th point and those beside the ends of blocks.
bool is_compared(std::size_t point, std::size_t count) {
  const std::size_t place = point % block_of_points;
  return point % 7 == 0 || place <= 1 || place + 2 >= block_of_points || point + 1 == count;
}

void check_each_alone(const Mapping& mapping, const std::vector<double>& points) {
  setenv("ISTHMUS_THREADS", "3", 1);
  const Interpolation together = mapping.interpolate(points);
  unsetenv("ISTHMUS_THREADS");
  const std::size_t count = points.size() / 2;
  REQUIRE(together.num_points() == count);
  std::size_t entry = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto size = static_cast<std::size_t>(together.counts[i]);
    REQUIRE(entry + size <= together.columns.size());
    if (is_compared(i, count)) {
      const Interpolation alone = mapping.interpolate(std::span(points).subspan(2 * i, 2));
      const bool is_same = alone.counts[0] == together.counts[i] &&
                           alone.distances2[0] == together.distances2[i] &&
                           std::equal(alone.columns.begin(), alone.columns.end(),
                                      together.columns.begin() + static_cast<long>(entry)) &&
                           std::equal(alone.weights.begin(), alone.weights.end(),
                                      together.weights.begin() + static_cast<long>(entry));
      wrong += is_same ? 0 : 1;
    }
    entry += size;
  }
  CHECK(entry == together.columns.size());
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("points at the ends of blocks are mapped as points alone are") {
  const mesh::Mesh mesh = square(6);
  const std::unique_ptr<Mapping> mappings[] = {
      make_nearest_neighbor(mesh), make_nearest_projection(mesh), make_linear_cell(mesh),
      make_linear_cell(mesh, Outside::candidates)};
  for (const auto& mapping : mappings) {
    for (const std::size_t count : {std::size_t{1}, block_of_points - 1, block_of_points,
                                    block_of_points + 1, 3 * block_of_points + 5}) {
      check_each_alone(*mapping, spiral(count));
    }
  }
}

TEST_CASE("no points are no block") {
  const mesh::Mesh mesh = square(3);
  setenv("ISTHMUS_THREADS", "3", 1);
  const Interpolation none = make_linear_cell(mesh)->interpolate({});
  unsetenv("ISTHMUS_THREADS");
  CHECK(none.num_points() == 0);
  CHECK(none.columns.empty());
}
