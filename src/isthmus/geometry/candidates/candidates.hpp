// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/candidates/near_elements.hpp"
#include "isthmus/geometry/candidates/numbered_boxes.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/element_tree.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Projects by a few candidates, as preCICE does. The four triangles whose bounding boxes are
/// nearest to the point are candidates, in 2D none. The point goes to the closest candidate on
/// which it falls when it is moved at right angles, no farther than the nearest vertex; of equally
/// close ones to the one with the nearer box. Where there is none, to the closest of four edges
/// likewise, among them those of triangles; else to the nearest vertex. Elements at one place count
/// once, with the smallest numbers, or, by number, those with the same vertices.
class Candidates {
 public:
  /// `edges` holds pairs and `triangles` triples of positions in `coords`, which must outlive this.
  Candidates(int dim, std::span<const double> coords, std::span<const LocalIndex> edges,
             std::span<const LocalIndex> triangles, Ties ties);

  /// Where the queries (interleaved coordinates) go; weights are not 0, and corners in
  /// lexicographic order. Size 0 where there is no vertex or a query is not a number. Several
  /// threads may ask.
  void project(std::span<const double> queries, std::span<Projection> out) const;

  /// All candidates of the queries by place, and their nearest vertices; each once, corners in
  /// lexicographic order, edges of these triangles left out. Whatever other elements there are
  /// elsewhere, among all of them and these the queries go where they would go among all of them
  /// and all of this mesh. Several threads may ask.
  [[nodiscard]] std::vector<Element> gather(std::span<const double> queries) const;

 private:
  ElementTree elements_;
  mutable std::array<NumberedBoxes, 3> numbered_; // vertices, edges, triangles, for ties by number
  Ties ties_;
  bool has_triangles_;
  double roundings_; // no projection onto an element is farther from its box than this
};

} // namespace isthmus::geometry
