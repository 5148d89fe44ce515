// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/ghosts.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::flow {

/// Area vectors of the faces at the low end of each cell along one axis, pointing to its high end.
struct Faces {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  std::vector<double> size; // of the area
  /// Normal speed times area for a grid that turns about the z axis with speed 1: of (-y, x, 0).
  std::vector<double> turning;
};

/// The geometry of a block, or of a piece of one, with ghosts.
struct Block {
  int number = 0; // of the block
  Index3 begin{}; // of the piece in the block
  Extent extent;
  Extent node_extent;
  std::vector<Vector> nodes; // of node_extent
  std::array<Faces, 3> faces;
  std::vector<double> volumes;
  bool is_plane = false; // one cell thick, and no face across i or j has an area along z

  [[nodiscard]] const Vector& node(int i, int j, int k) const {
    return nodes[node_extent.at(i, j, k)];
  }
  /// "cell (3, 1, 1) of block 2": as files count them, whatever the pieces.
  [[nodiscard]] std::string name_of_cell(const Index3& cell) const;
  /// The mean of its corners.
  [[nodiscard]] Vector center(int i, int j, int k) const;
};

/// Collective. What this rank owns, with the nodes of its neighbours around, those beyond
/// boundaries mirrored at these: the same numbers for a piece as for its block. `load` gives the
/// nodes of a block. Grids turn about `pivot`. Throws Error on all ranks: a volume that is not
/// positive, nodes of connected sides that do not coincide to within `tolerance` of the block's
/// size, and what `load` throws.
[[nodiscard]] std::vector<Block> make_blocks(const comm::Comm& comm, const Blocks& blocks,
                                             std::span<const Ghost> ghosts,
                                             const std::function<Nodes(int block)>& load,
                                             const Vector& pivot, double tolerance);

} // namespace isthmus::flow
