// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/boundary_side.hpp"
#include "flow/multiblock/nodes.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::flow {

/// A [[boundary]] of the case file.
struct BoundaryNames {
  Boundary boundary;
  bool is_periodic = false;
  /// "3:j-min", "*:j-min" for what meets no other block, "wing" for what the grid calls so.
  std::vector<std::string> sides;
  Vector shift{};    // of periodic sides
  std::string place; // file and line, for errors
};

/// The sides of periodic boundaries. Throws Error naming file and line for what is no side.
[[nodiscard]] std::vector<Periodic> periodic_sides(std::span<const BoundaryNames> boundaries,
                                                   int num_blocks);

/// Cells of a block before a boundary.
struct BoundaryPatch {
  Side side;
  Index3 begin{};
  Index3 end{};
  int boundary; // which of the names
};

/// All that meet no other block, by block and side; rectangles. Throws Error naming the side, or
/// file and line: names that fit nothing, sides with no boundary or with two.
[[nodiscard]] std::vector<BoundaryPatch> name_boundaries(const Topology& topology,
                                                         const GridSource& source,
                                                         std::span<const BoundaryNames> boundaries);

/// What a piece has of a patch, with ghosts; nothing if it has no ghosts behind it.
[[nodiscard]] std::optional<BoundarySide> boundary_side(const Index3& cells, const Piece& piece,
                                                        const Extent& extent, std::size_t own,
                                                        const BoundaryPatch& patch,
                                                        BoundaryKind kind);

} // namespace isthmus::flow
