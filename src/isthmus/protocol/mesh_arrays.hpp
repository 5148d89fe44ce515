// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::protocol {

/// Corners of the edges, triangles and tetrahedra of a mesh: of one list kind + 2 for an element.
using Elements = std::array<std::span<const LocalIndex>, 3>;

[[nodiscard]] Elements elements_of(const mesh::Mesh& mesh);

/// What makes up a mesh, or a part of one, where it is.
struct MeshView {
  std::span<const double> coordinates;
  Elements elements;
};

/// The same, kept.
struct MeshArrays {
  std::vector<double> coordinates;
  std::array<std::vector<LocalIndex>, 3> elements; // as Elements

  MeshArrays() = default;
  explicit MeshArrays(const MeshView& view);

  /// Adds a part behind all others, whose corners are numbered from its first vertex on.
  void append(int dimensions, const MeshArrays& part);
  [[nodiscard]] LocalIndex num_vertices(int dimensions) const {
    return static_cast<LocalIndex>(coordinates.size() / static_cast<std::size_t>(dimensions));
  }
  /// The mesh of these arrays, which are empty afterwards.
  [[nodiscard]] mesh::Mesh take(const std::string& name, int dimensions);
};

/// Writes four arrays: coordinates, edges, triangles and tetrahedra.
void write_arrays(Writer& writer, const MeshView& view);

/// What write_arrays() has written. Error: a corner is none of the vertices. `message`: where it
/// stands, "a mesh message", say.
[[nodiscard]] MeshArrays read_arrays(Reader& reader, int dimensions, std::string_view message);

/// Error: a corner is none of `count` vertices. `message` as above.
void check_corners(std::string_view message, std::span<const LocalIndex> corners, LocalIndex count);

} // namespace isthmus::protocol
