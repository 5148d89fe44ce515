// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/nodes.hpp"

#include <filesystem>

namespace isthmus::flow {

/// Local. The structured zones of the first base of a CGNS file (of HDF5), in the order in which
/// they were written; flat if the base is. Connections of kind one to one are taken over, periodic
/// ones are not; boundary conditions are sides that have the names of their nodes, and of their
/// families. Every rank opens the file by itself, without locks, and reads the coordinates of the
/// zones that it loads, no others. Throws Error naming file and node: what is no CGNS, zones that
/// are not structured, connections and boundaries that fit no side. The format: SIDS file mapping
/// to HDF5, https://cgns.github.io.
[[nodiscard]] GridSource open_cgns(const std::filesystem::path& path);

} // namespace isthmus::flow
