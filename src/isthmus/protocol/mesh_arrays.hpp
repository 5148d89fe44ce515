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

[[nodiscard]] constexpr std::size_t padded_to_words(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

/// The bytes of the arrays in the order in which they travel as one stream, each padded to whole
/// words; const where they leave.
template <class Byte>
using ArrayBytes = std::array<std::span<Byte>, 4>;

[[nodiscard]] ArrayBytes<const std::byte> byte_arrays(const MeshView& view);
[[nodiscard]] ArrayBytes<std::byte> byte_arrays(
    std::span<double> coordinates, const std::array<std::span<LocalIndex>, 3>& elements);

template <class Byte>
[[nodiscard]] std::size_t bytes_in_stream(const ArrayBytes<Byte>& arrays) {
  std::size_t sum = 0;
  for (const std::span<Byte> array : arrays) {
    sum += padded_to_words(array.size());
  }
  return sum;
}

/// The piece of the stream that begins at `offset`, a multiple of 8: written from the arrays, or
/// read into them.
void write_piece(const ArrayBytes<const std::byte>& arrays, std::size_t offset,
                 std::span<std::byte> piece);
void read_piece(const ArrayBytes<std::byte>& arrays, std::size_t offset,
                std::span<const std::byte> piece);

/// Error: a corner is none of `count` vertices. `message` as above.
void check_corners(std::string_view message, std::span<const LocalIndex> corners, LocalIndex count);

} // namespace isthmus::protocol
