// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/cover.hpp"

#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace isthmus::geometry {
namespace {

// Boxes thinner than this part of the whole are counted as if they were this thick.
constexpr double thickness = 1.0 / 128.0;

double measure(int dim, const Box& box, double least) {
  double volume = 1.0;
  for (int k = 0; k < dim; ++k) {
    volume *= box.hi[k] - box.lo[k] + least;
  }
  return volume;
}

// Tight boxes around the points of each cell of a level, in curve order.
std::map<std::uint64_t, Box> cells_of_points(int dim, std::span<const double> coords,
                                             const MortonGrid& grid, int level) {
  std::map<std::uint64_t, Box> cells;
  const std::size_t n = point_count(dim, coords);
  for (std::size_t i = 0; i < n; ++i) {
    const Point p = point_at(dim, coords, i);
    cells[grid.range(grid.key(p), level).begin].expand(p);
  }
  return cells;
}

// The boxes of the deepest level that has at most `limit` of them.
std::vector<Box> few_cells(const MortonGrid& grid, std::map<std::uint64_t, Box> cells, int level,
                           std::size_t limit) {
  while (cells.size() > limit) {
    std::map<std::uint64_t, Box> parents;
    --level;
    for (const auto& [key, box] : cells) {
      parents[grid.range(key, level).begin].expand(box);
    }
    cells.swap(parents);
  }
  std::vector<Box> boxes;
  for (const auto& [key, box] : cells) {
    boxes.push_back(box);
  }
  return boxes;
}

// Unites the two boxes whose union adds the least.
void merge_closest(int dim, double least, std::vector<Box>& boxes) {
  std::size_t first = 0;
  std::size_t second = 1;
  double lowest = Box::infinity;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      Box both = boxes[i];
      both.expand(boxes[j]);
      const double added =
          measure(dim, both, least) - measure(dim, boxes[i], least) - measure(dim, boxes[j], least);
      if (added < lowest) {
        lowest = added;
        first = i;
        second = j;
      }
    }
  }
  boxes[first].expand(boxes[second]);
  boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(second));
}

} // namespace

std::vector<Box> cover(int dim, std::span<const double> coords, int max_boxes) {
  constexpr int deepest = 6;
  const Box whole = bounding_box(dim, coords);
  const auto limit = static_cast<std::size_t>(std::max(max_boxes, 1));
  const MortonGrid grid(dim, whole);
  std::vector<Box> boxes =
      few_cells(grid, cells_of_points(dim, coords, grid, deepest), deepest, 8 * limit + 56);
  const double least = thickness * whole.longest_edge();
  while (boxes.size() > limit) {
    merge_closest(dim, least, boxes);
  }
  return boxes;
}

} // namespace isthmus::geometry
