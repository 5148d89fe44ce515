// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"

#include <filesystem>

namespace isthmus::convection {

/// Local. Reads tetrahedra and named physical surfaces of an ASCII file of Gmsh, format 2.2 or 4.1.
/// Nodes are in the order of the file. Throws Error naming file and line: another format, a number
/// that is none, a node that is not there, a file that ends too early.
[[nodiscard]] WholeMesh read_gmsh(const std::filesystem::path& file);

} // namespace isthmus::convection
