// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <array>

namespace isthmus::geometry {

enum class QuadShape {
  convex,     ///< split into two triangles
  degenerate, ///< two corners coincide, or three lie on one line
  non_convex, ///< one corner lies inside the triangle of the others
};

/// A quadrilateral as two triangles.
struct QuadSplit {
  QuadShape shape;
  /// Corners of the triangles as positions 0 to 3; both turn like the outline. Only when convex.
  std::array<std::array<int, 3>, 2> triangles;
  /// Distance between the diagonals as lines, relative to the longer one: 0 when planar.
  double warp;
};

/// Splits along the shorter diagonal. Corners usually come in cyclic order; in another order the
/// outline is the one without crossing edges. Of equal diagonals the one with the lexicographically
/// smallest corner cuts.
[[nodiscard]] QuadSplit split_quad(const std::array<Point, 4>& corners);

} // namespace isthmus::geometry
