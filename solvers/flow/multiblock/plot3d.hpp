// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/nodes.hpp"
#include "isthmus/comm/comm.hpp"

#include <filesystem>

namespace isthmus::flow {

/// Local. A PLOT3D grid of one or more blocks: the number of blocks, the nodes of each along i, j,
/// k (32-bit), then x, y and z of each block (64-bit), without records of Fortran and without
/// iblank. Blocks of one node along k are flat. Only the blocks that are loaded are read. Throws
/// Error naming the file if it is none, or has another size.
[[nodiscard]] GridSource open_plot3d(const std::filesystem::path& path);

/// Collective. Writes all blocks of a grid, complete or absent; flat ones with one plane of nodes.
/// Each rank makes and writes some of them, with one collective call. Throws Error on all ranks.
void write_plot3d(const comm::Comm& comm, const std::filesystem::path& path,
                  const GridSource& grid);

} // namespace isthmus::flow
