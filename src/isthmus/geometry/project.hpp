// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <array>

namespace isthmus::geometry {

/// The closest point of a triangle, an edge or a vertex: the sum of weight[i] times vertex[i] over
/// the first `size` entries. Size 3: inside a triangle, 2: inside an edge, 1: at a vertex, 0:
/// nothing found. Weights are >= 0 and sum to 1 up to rounding; unused entries are -1 and 0.
struct Projection {
  std::array<double, 3> weight{};
  double distance2 = Box::infinity;
  std::array<LocalIndex, 3> vertex{-1, -1, -1};
  int size = 0;
  friend bool operator==(const Projection&, const Projection&) = default;
};

/// A vertex for projections: id and place.
struct Corner {
  LocalIndex id;
  Point x;
};

/// Total order of corners: by x, y, z, then by id.
[[nodiscard]] inline bool lexicographic(const Corner& a, const Corner& b) {
  if (a.x[0] != b.x[0]) [[likely]] {
    return a.x[0] < b.x[0];
  }
  return a.x != b.x ? a.x < b.x : a.id < b.id;
}

} // namespace isthmus::geometry
