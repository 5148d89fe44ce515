// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/export/mesh_piece.hpp"

#include <filesystem>
#include <span>
#include <string>

/// VTK's XML files for ParaView. Arrays are binary in base64, hence exact; the vertices of a
/// two-dimensional mesh and its vectors get a third component of 0.
namespace isthmus::io {

/// Tetrahedra, triangles and edges as an unstructured grid.
void write_vtu(const std::filesystem::path& path, const MeshPiece& piece);

/// Edges and triangles as polygonal data; tetrahedra have no place there and are left out.
void write_vtp(const std::filesystem::path& path, const MeshPiece& piece);

/// The file that joins `pieces` (names beside it). `like` has their dimensions and fields.
void write_pvtu(const std::filesystem::path& path, const MeshPiece& like,
                std::span<const std::string> pieces);
void write_pvtp(const std::filesystem::path& path, const MeshPiece& like,
                std::span<const std::string> pieces);

} // namespace isthmus::io
