// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace isthmus::io {

/// Values at the vertices, components of a vertex together.
struct PieceField {
  std::string_view name;
  int components = 1; // 1, or the dimensions of the mesh
  std::span<const double> values;
};

/// What one rank holds of a mesh, for files that people look at.
struct MeshPiece {
  int dimensions = 3;                    // 2 or 3
  std::span<const double> coordinates{}; // dimensions per vertex
  std::span<const LocalIndex> edges{};   // 2 vertices each
  std::span<const LocalIndex> triangles{};
  std::span<const LocalIndex> tetrahedra{};
  std::span<const PieceField> fields{}; // the same names in the same order on all ranks
  int rank = 0;

  [[nodiscard]] std::size_t num_vertices() const {
    return coordinates.size() / static_cast<std::size_t>(dimensions);
  }
};

/// The cells of one kind.
struct PieceCells {
  std::span<const LocalIndex> vertices;
  std::size_t corners;
  int kind; // VTK's number

  [[nodiscard]] std::size_t count() const { return vertices.size() / corners; }
  [[nodiscard]] std::span<const LocalIndex> cell(std::size_t i) const {
    return vertices.subspan(i * corners, corners);
  }
};

/// Tetrahedra, triangles, edges.
[[nodiscard]] std::array<PieceCells, 3> cells_of(const MeshPiece& piece);

/// Throws Error unless coordinates, cells and fields fit together.
void check_piece(const MeshPiece& piece);

} // namespace isthmus::io
