// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/nodes.hpp"

#include <array>
#include <string>
#include <vector>

namespace isthmus::flow {

/// A box, a plate with the flow above it, or an O-grid, cut into blocks.
struct Shape {
  std::string kind = "box"; // box, plate, cylinder, naca
  Index3 cells{32, 32, 1};  // of all blocks: along the box; around, outwards, along the span
  Index3 blocks{1, 1, 1};   // along the same axes, equal ones; each divides the cells
  std::array<std::vector<int>, 3> lengths; // unequal blocks: cells of each along an axis, or none
  Vector size{1, 1, 1};                    // of the box, or of the flow over the plate
  double wave = 0;              // of the box: how far inner nodes are moved, in parts of `size`
  std::string section = "0012"; // four digits of NACA
  double radius = 20;           // of the outer border, in diameters or chords
  double first = 0.02;          // height of the first cell at the wall
  double ahead = 1.0 / 3;       // of a plate: how far the grid reaches ahead of it
  double edge = 0.01;           // of a plate: length of the cells at its leading edge
};

/// Local. Flat if it has one cell along k. A box begins at (0, 0, 0); cylinders have diameter 1 and
/// their centre in (0, 0), sections a chord from (0, 0) to (1, 0). Around them i runs clockwise
/// from the trailing edge and j outwards: the wall is j-min, the far field j-max. A plate begins at
/// (0, 0) and lies along i; the first block along i is ahead of it. Cells grow from there, and
/// outwards. The fourth coefficient of sections is that which closes the trailing edge. Throws
/// Error if numbers do not fit.
[[nodiscard]] GridSource make_shape(const Shape& shape);

} // namespace isthmus::flow
