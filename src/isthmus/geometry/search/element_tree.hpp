// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/elements.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/bvh.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Number of corners of a triangle, an edge or a vertex.
[[nodiscard]] inline int num_corners(const Element& element) {
  return element[2] >= 0 ? 3 : (element[1] >= 0 ? 2 : 1);
}

/// The edges of a triangle, their corners in the order of its corners.
[[nodiscard]] inline std::array<Element, 3> edges_of(const Element& triangle) {
  return {{{triangle[0], triangle[1], -1},
           {triangle[0], triangle[2], -1},
           {triangle[1], triangle[2], -1}}};
}

/// The triangles of a mesh, the edges that bound none and the vertices of neither, packed, with a
/// tree of their boxes.
class ElementTree {
 public:
  /// `edges` holds pairs and `triangles` triples of positions in `coords`, which must outlive the
  /// tree. In 2D a triangle stands for its edges.
  ElementTree(int dim, std::span<const double> coords, std::span<const LocalIndex> edges,
              std::span<const LocalIndex> triangles);

  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  /// An item of the tree; corners in lexicographic order.
  [[nodiscard]] const Element& operator[](std::size_t item) const { return elements_[item]; }
  [[nodiscard]] const std::vector<Element>& all() const { return elements_; }
  [[nodiscard]] const Bvh& boxes() const { return bvh_; }
  [[nodiscard]] int dimensions() const { return dim_; }
  [[nodiscard]] std::size_t num_vertices() const { return point_count(dim_, coords_); }

  [[nodiscard]] Point point(LocalIndex id) const {
    return point_at(dim_, coords_, static_cast<std::size_t>(id));
  }
  [[nodiscard]] Corner corner(LocalIndex id) const { return {id, point(id)}; }
  /// The same element with corners in lexicographic order.
  [[nodiscard]] Element ordered(Element element) const;
  /// The squared distance of the nearest corner, infinite where there is none: nothing that is
  /// closest is farther away.
  [[nodiscard]] double bound_by_corners(const Element& element, const Point& query) const {
    double distance2 = Box::infinity;
    for (const LocalIndex id : element) {
      if (id >= 0) {
        const Point r = point(id) - query;
        distance2 = std::min(distance2, dot(r, r));
      }
    }
    return distance2;
  }
  /// Memory in use, without the coordinates.
  [[nodiscard]] std::size_t bytes() const {
    return elements_.size() * sizeof(Element) + bvh_.bytes();
  }

 private:
  [[nodiscard]] Point center(const Element& element) const;
  void prefetch(const Element& element) const;
  template <int count>
  void set(std::size_t item, const Element& element);

  int dim_;
  std::span<const double> coords_;
  std::vector<Element> elements_;
  Bvh bvh_;
};

} // namespace isthmus::geometry
