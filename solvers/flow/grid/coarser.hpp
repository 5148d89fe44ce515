// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/pieces.hpp"

#include <vector>

namespace isthmus::flow {

/// Local. Throws Error unless the cells of all blocks, and of parts of their sides that the grid
/// names or connects, can be halved `levels` - 1 times with two cells of each block left along each
/// axis. Flat grids stay one cell thick.
void check_levels(const GridSource& source, int levels);

/// Local. The same grid with every second node.
[[nodiscard]] GridSource coarser(const GridSource& source);

/// Local. The same parts of blocks with half the cells along each axis; not along k if flat.
[[nodiscard]] std::vector<Piece> coarser(std::vector<Piece> pieces, bool is_flat);

} // namespace isthmus::flow
