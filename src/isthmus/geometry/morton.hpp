// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Morton (Z-order) keys of the points of a cube (square in 2D): 21 bits per axis in 3D, 31 in 2D.
/// The cube is divided like an octree (quadtree): level 0 is the whole, each level halves the
/// cells, and the points of a cell have keys in one interval. Points outside belong to the nearest
/// cell.
class MortonGrid {
 public:
  /// The cube has the lower corner of `box` and its longest edge; an empty box becomes one point.
  MortonGrid(int dim, const Box& box);

  [[nodiscard]] int max_level() const { return dim_ == 3 ? 21 : 31; }
  [[nodiscard]] std::uint64_t key(const Point& point) const;
  /// The smallest key of the cell of `level` that contains `key`.
  [[nodiscard]] std::uint64_t first_key(std::uint64_t key, int level) const;

 private:
  int dim_;
  Point lo_;
  double edge_;
  double cells_per_length_;
};

/// The order of points along the Morton curve of their bounding box; points in one place by index.
[[nodiscard]] std::vector<LocalIndex> curve_order(int dim, std::span<const double> coords);

} // namespace isthmus::geometry
