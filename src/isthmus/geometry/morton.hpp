// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Half-open interval of Morton keys.
struct KeyRange {
  std::uint64_t begin;
  std::uint64_t end;
  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// Morton (Z-order) keys of the points of a cube (square in 2D): 21 bits per axis in 3D, 31 in 2D.
/// The cube is divided like an octree (quadtree): level 0 is the whole, each level halves the
/// cells, and the points of a cell have keys in one interval. Points outside belong to the nearest
/// cell.
class MortonGrid {
 public:
  /// The cube has the lower corner of `box` and its longest edge; an empty box becomes one point.
  MortonGrid(int dim, const Box& box);

  [[nodiscard]] int dim() const { return dim_; }
  [[nodiscard]] int max_level() const { return dim_ == 3 ? 21 : 31; }
  /// One past the largest key.
  [[nodiscard]] std::uint64_t key_end() const { return std::uint64_t{1} << (dim_ * max_level()); }

  [[nodiscard]] std::uint64_t key(const Point& point) const;
  /// All keys of the cell of `level` that contains `key`.
  [[nodiscard]] KeyRange range(std::uint64_t key, int level) const;
  /// The cell of `level` that contains `key`.
  [[nodiscard]] Box cell(std::uint64_t key, int level) const;

 private:
  int dim_;
  Point lo_;
  double edge_;
  double cells_per_length_;
};

/// The order of points along the Morton curve of their bounding box; points in one place by index.
[[nodiscard]] std::vector<LocalIndex> curve_order(int dim, std::span<const double> coords);

} // namespace isthmus::geometry
