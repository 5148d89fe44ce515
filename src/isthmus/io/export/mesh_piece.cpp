// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/mesh_piece.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::io {

namespace {

std::string_view name(const PieceCells& cells) {
  return cells.corners == 4 ? "tetrahedra" : cells.corners == 3 ? "triangles" : "edges";
}

void check_cells(const PieceCells& cells, std::size_t num_vertices) {
  check(cells.vertices.size() % cells.corners == 0,
        "{} have {} vertices each, but {} vertices were given", name(cells), cells.corners,
        cells.vertices.size());
  const auto n = static_cast<LocalIndex>(num_vertices);
  for (const LocalIndex vertex : cells.vertices) {
    check(vertex >= 0 && vertex < n, "one of the {} names vertex {}; the mesh has {} vertices",
          name(cells), vertex, n);
  }
}

} // namespace

std::array<PieceCells, 3> cells_of(const MeshPiece& piece) {
  return {{{piece.tetrahedra, 4, 10}, {piece.triangles, 3, 5}, {piece.edges, 2, 3}}};
}

void check_piece(const MeshPiece& piece) {
  check(piece.dimensions == 2 || piece.dimensions == 3,
        "a mesh of {} dimensions cannot be written; 2 or 3 are possible", piece.dimensions);
  check(piece.coordinates.size() % static_cast<std::size_t>(piece.dimensions) == 0,
        "{} coordinates do not make vertices of {} dimensions", piece.coordinates.size(),
        piece.dimensions);
  for (const PieceCells& cells : cells_of(piece)) {
    check_cells(cells, piece.num_vertices());
  }
  for (const PieceField& field : piece.fields) {
    check(field.components == 1 || field.components == piece.dimensions,
          "\"{}\" has {} components; a field of this mesh has 1 or {}", field.name,
          field.components, piece.dimensions);
    check(field.values.size() == piece.num_vertices() * static_cast<std::size_t>(field.components),
          "\"{}\" has {} values; {} vertices with {} components need {}", field.name,
          field.values.size(), piece.num_vertices(), field.components,
          piece.num_vertices() * static_cast<std::size_t>(field.components));
  }
}

} // namespace isthmus::io
