// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/export/mesh_piece.hpp"

#include <filesystem>

/// Files of letters and digits. Numbers have as many digits as it takes to read them back exactly.
namespace isthmus::io {

/// One line per vertex, separated by semicolons: PosX;PosY[;PosZ];Rank;Scalar;VectorX;VectorY…
void write_csv(const std::filesystem::path& path, const MeshPiece& piece);

/// VTK's file format before XML: an unstructured grid of tetrahedra, triangles and edges.
void write_vtk(const std::filesystem::path& path, const MeshPiece& piece);

} // namespace isthmus::io
