// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh_share.hpp"
#include "isthmus/comm/comm.hpp"

#include <filesystem>

namespace isthmus::convection {

/// Collective. Reads tetrahedra and named physical surfaces of an ASCII file of Gmsh, format 2.2 or
/// 4.1, each rank about as many bytes of it; rank 0 alone reads what stands before the nodes. Nodes
/// and tetrahedra are in the order of the file. Throws Error on all ranks naming file and line:
/// another format, a number that is none, a file that ends too early.
[[nodiscard]] MeshShare read_gmsh(const comm::Comm& comm, const std::filesystem::path& file);

} // namespace isthmus::convection
