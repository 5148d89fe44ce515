// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/boundaries.hpp"
#include "flow/grid/pieces/dealing.hpp"

#include <string>
#include <vector>

namespace isthmus::flow {

struct GridSettings {
  std::vector<BoundaryNames> boundaries;
  Vector pivot{};          // about which the grid turns
  double tolerance = 1e-6; // of nodes that coincide, in parts of the size of a side
  bool is_partial = false; // sides may meet others in part
  DealSettings dealing{};
  std::vector<double> weights{}; // the work of each block; none: its cells
};

/// The blocks of a grid on their ranks, and what is around them.
struct Grid {
  Blocks blocks;
  std::vector<Ghost> ghosts;
  std::vector<Block> own;          // pieces
  std::vector<BoundarySide> sides; // of own pieces
  std::vector<Boundary> boundaries;
  GlobalIndex num_cells = 0; // of all ranks
  Vector pivot{};
};

/// Collective. Reads the sides of all blocks, finds out which meet, deals blocks to ranks and makes
/// the own ones. Throws Error on all ranks: names of sides that fit none, sides without a boundary
/// or with two, and what Topology and make_blocks find.
[[nodiscard]] Grid make_grid(const comm::Comm& comm, const GridSource& source,
                             const GridSettings& settings);

/// Collective. make_grid(), and `levels` - 1 coarser grids behind it: each has every second node of
/// the one before, and the same ranks have the same parts of it. Flat grids stay one cell thick.
/// Throws Error on all ranks, besides, if the cells of a block cannot be halved as often with two
/// left along each axis.
[[nodiscard]] std::vector<Grid> make_grids(const comm::Comm& comm, const GridSource& source,
                                           GridSettings settings, int levels);

} // namespace isthmus::flow
