// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/topology.hpp"

#include <cstddef>

namespace isthmus::flow {

/// How many axes of blocks become coarser.
[[nodiscard]] inline std::size_t num_halved(bool is_flat) {
  return is_flat ? 2 : 3;
}

/// Local. Throws Error unless the cells of all blocks, and of parts of their sides that the grid
/// names or connects, can be halved `levels` - 1 times with two cells of each block left along each
/// axis. Flat grids stay one cell thick.
void check_levels(const GridSource& source, int levels);

/// Local. The same grid with every second node.
[[nodiscard]] GridSource coarser(const GridSource& source);

} // namespace isthmus::flow
