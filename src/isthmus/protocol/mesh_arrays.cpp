// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/mesh_arrays.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace isthmus::protocol {

namespace {

/// Calls copy(bytes of an array, bytes of the piece) for each run of a piece at `offset`.
template <class Byte, class Piece, class Copy>
void walk(const ArrayBytes<Byte>& arrays, std::size_t offset, Piece piece, Copy copy) {
  for (const auto& array : arrays) {
    const std::size_t whole = padded_to_words(array.size());
    if (offset < whole && !piece.empty()) {
      const std::size_t run = std::min(whole - offset, piece.size());
      const std::size_t real = offset < array.size() ? std::min(run, array.size() - offset) : 0;
      if (real > 0) {
        copy(array.subspan(offset, real), piece.first(real));
      }
      piece = piece.subspan(run);
      offset = whole;
    }
    offset -= std::min(offset, whole);
  }
}

} // namespace

Elements elements_of(const mesh::Mesh& mesh) {
  return {mesh.edges(), mesh.triangles(), mesh.tetrahedra()};
}

MeshArrays::MeshArrays(const MeshView& view)
    : coordinates(view.coordinates.begin(), view.coordinates.end()) {
  for (std::size_t kind = 0; kind < elements.size(); ++kind) {
    elements[kind].assign(view.elements[kind].begin(), view.elements[kind].end());
  }
}

void MeshArrays::append(int dimensions, const MeshArrays& part) {
  const LocalIndex first = num_vertices(dimensions);
  coordinates.insert(coordinates.end(), part.coordinates.begin(), part.coordinates.end());
  for (std::size_t kind = 0; kind < elements.size(); ++kind) {
    std::transform(part.elements[kind].begin(), part.elements[kind].end(),
                   std::back_inserter(elements[kind]),
                   [first](LocalIndex corner) { return first + corner; });
  }
}

mesh::Mesh MeshArrays::take(const std::string& name, int dimensions) {
  return {name,
          dimensions,
          std::move(coordinates),
          std::move(elements[0]),
          std::move(elements[1]),
          std::move(elements[2])};
}

void write_arrays(Writer& writer, const MeshView& view) {
  writer.put_array(view.coordinates);
  for (const std::span<const LocalIndex> corners : view.elements) {
    writer.put_array(corners);
  }
}

MeshArrays read_arrays(Reader& reader, int dimensions, std::string_view message) {
  MeshArrays arrays;
  arrays.coordinates = reader.get_array<double>();
  for (std::vector<LocalIndex>& corners : arrays.elements) {
    corners = reader.get_array<LocalIndex>();
    check_corners(message, corners, arrays.num_vertices(dimensions));
  }
  return arrays;
}

ArrayBytes<const std::byte> byte_arrays(const MeshView& view) {
  const auto& [edges, triangles, tetrahedra] = view.elements;
  return {std::as_bytes(view.coordinates), std::as_bytes(edges), std::as_bytes(triangles),
          std::as_bytes(tetrahedra)};
}

ArrayBytes<std::byte> byte_arrays(std::span<double> coordinates,
                                  const std::array<std::span<LocalIndex>, 3>& elements) {
  const auto& [edges, triangles, tetrahedra] = elements;
  return {std::as_writable_bytes(coordinates), std::as_writable_bytes(edges),
          std::as_writable_bytes(triangles), std::as_writable_bytes(tetrahedra)};
}

void write_piece(const ArrayBytes<const std::byte>& arrays, std::size_t offset,
                 std::span<std::byte> piece) {
  walk(arrays, offset, piece, [](std::span<const std::byte> from, std::span<std::byte> to) {
    std::memcpy(to.data(), from.data(), from.size());
  });
}

void read_piece(const ArrayBytes<std::byte>& arrays, std::size_t offset,
                std::span<const std::byte> piece) {
  walk(arrays, offset, piece, [](std::span<std::byte> to, std::span<const std::byte> from) {
    std::memcpy(to.data(), from.data(), from.size());
  });
}

void check_corners(std::string_view message, std::span<const LocalIndex> corners,
                   LocalIndex count) {
  const bool valid = std::all_of(corners.begin(), corners.end(),
                                 [count](LocalIndex v) { return v >= 0 && v < count; });
  check(valid, "{} names a vertex that it does not have", message);
}

} // namespace isthmus::protocol
