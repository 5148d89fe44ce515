// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/mesh_arrays.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace isthmus::protocol {

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

void check_corners(std::string_view message, std::span<const LocalIndex> corners,
                   LocalIndex count) {
  const bool valid = std::all_of(corners.begin(), corners.end(),
                                 [count](LocalIndex v) { return v >= 0 && v < count; });
  check(valid, "{} names a vertex that it does not have", message);
}

} // namespace isthmus::protocol
