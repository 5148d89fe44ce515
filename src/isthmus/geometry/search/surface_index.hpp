// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/elements.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/element_tree.hpp"

#include <span>

namespace isthmus::geometry {

/// Finds the closest point on a mesh of triangles, edges and vertices. In 2D a triangle stands for
/// its edges. Results do not depend on the order of vertices, edges or triangles: equal distances
/// are decided by size (triangle, edge, vertex), then by the coordinates of the vertices, then by
/// ids.
class SurfaceIndex {
 public:
  /// `edges` holds pairs and `triangles` triples of positions in `coords`, which must outlive the
  /// index; edges and vertices that bound something larger are found through it.
  SurfaceIndex(int dim, std::span<const double> coords, std::span<const LocalIndex> edges,
               std::span<const LocalIndex> triangles)
      : tree_(dim, coords, edges, triangles) {}

  /// Closest points of the queries (interleaved coordinates); size 0 when there is none.
  void project(std::span<const double> queries, std::span<Projection> out) const;

  /// Number of triangles, edges and vertices that need an entry.
  [[nodiscard]] std::size_t size() const { return tree_.size(); }
  /// Memory in use, without the coordinates.
  [[nodiscard]] std::size_t bytes() const { return tree_.bytes(); }

 private:
  [[nodiscard]] Projection project_to(const Element& element, const Point& query) const;
  [[nodiscard]] bool wins_tie(const Projection& a, const Projection& b) const;

  ElementTree tree_;
};

} // namespace isthmus::geometry
