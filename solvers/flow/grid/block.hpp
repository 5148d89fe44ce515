// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/ghosts.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Area vectors of the faces at the low end of each cell along one axis, pointing to its high end.
struct Faces {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  /// Normal speed times area for a grid that turns about the z axis with speed 1: of (-y, x, 0).
  std::vector<double> turning;
};

/// The geometry of a block, with ghosts.
struct Block {
  int number = 0;
  Extent extent;
  Extent node_extent;
  std::vector<Vector> nodes; // of node_extent
  std::array<Faces, 3> faces;
  std::vector<double> volumes;

  [[nodiscard]] const Vector& node(int i, int j, int k) const {
    return nodes[node_extent.at(i, j, k)];
  }
  /// The mean of its corners.
  [[nodiscard]] Vector center(int i, int j, int k) const;
};

/// Collective. Blocks of this rank with the nodes of their neighbours around them, those beyond
/// boundaries mirrored at these. Grids turn about `pivot`. Throws Error on all ranks: a volume that
/// is not positive, and nodes of connected sides that do not coincide to within `tolerance` of the
/// side's size.
[[nodiscard]] std::vector<Block> make_blocks(const comm::Comm& comm, const Blocks& blocks,
                                             std::span<const Ghost> ghosts,
                                             std::span<const Nodes> nodes, const Vector& pivot,
                                             double tolerance);

} // namespace isthmus::flow
