// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/elements.hpp"

#include <span>
#include <vector>

namespace isthmus::radial {

/// Which clusters are made.
struct PartitionSettings {
  int vertices_per_cluster = 50;  // on average
  double relative_overlap = 0.15; // by which balls exceed the vertices that they must cover
  bool project_to_input = true;   // centers are vertices
  geometry::Ties ties = geometry::Ties::by_place; // of vertices that are equally near to a center
};

/// A ball, and the points around its center from which is interpolated within it.
struct Cluster {
  geometry::Point center;
  double radius;                   // infinite if it is the only one
  std::vector<LocalIndex> members; // all points of the ball, in an order that places decide
};

struct Clusters {
  std::vector<Cluster> all;
  bool even; // on a grid, or only one
};

/// Overlapping balls that together cover all points. `numbers`: those of `points`, by which
/// vertices that are equally near to a place on the grid are chosen, if settings say so. Depends
/// otherwise on the places and the order of `points` only. Where points fill their bounding box
/// about evenly, balls of one radius stand on a grid; elsewhere, on graded meshes and on surfaces,
/// they stand around cells of a bisection. Those of cells have as many members as wanted times
/// `reach`.
[[nodiscard]] Clusters make_clusters(int dimensions, std::span<const geometry::Point> points,
                                     std::span<const LocalIndex> numbers,
                                     const PartitionSettings& settings, double reach = 1);

} // namespace isthmus::radial
