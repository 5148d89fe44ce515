// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Which of equally near vertices is found, and which of elements with equally near boxes: those
/// with the longer diagonal, then those with the smaller coordinates, in any order of vertices and
/// elements; or those that preCICE finds, which follows from the numbers of the vertices.
enum class Ties { by_place, by_number };

/// Vertices of a triangle, an edge or a vertex; -1 fills the rest.
using Element = std::array<LocalIndex, 3>;

/// The parts of a surface that a closest point must be looked for on: triangles, edges that bound
/// no triangle, vertices of neither.
class Elements {
 public:
  /// `edges` holds pairs and `triangles` triples of vertices 0 to `vertices` - 1. In 2D triangles
  /// count as their edges.
  Elements(int dim, std::size_t vertices, std::span<const LocalIndex> edges,
           std::span<const LocalIndex> triangles);

  [[nodiscard]] std::size_t size() const {
    return triangles_.size() / 3 + edges_.size() + vertices_.size();
  }
  /// Triangles first, then edges, then vertices. Refers to the triangles of the constructor.
  [[nodiscard]] Element operator[](std::size_t i) const {
    const std::size_t faces = triangles_.size() / 3;
    if (i < faces) {
      return {triangles_[3 * i], triangles_[3 * i + 1], triangles_[3 * i + 2]};
    }
    i -= faces;
    return i < edges_.size() ? Element{edges_[i][0], edges_[i][1], -1}
                             : Element{vertices_[i - edges_.size()], -1, -1};
  }
  /// Element `i` will be asked for soon.
  void prefetch(std::size_t i) const {
    if (3 * i < triangles_.size()) {
      __builtin_prefetch(&triangles_[3 * i]);
    }
  }

 private:
  std::span<const LocalIndex> triangles_;
  std::vector<std::array<LocalIndex, 2>> edges_;
  std::vector<LocalIndex> vertices_;
};

} // namespace isthmus::geometry
