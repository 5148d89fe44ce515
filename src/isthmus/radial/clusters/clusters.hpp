// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/elements.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"

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

/// Points of a mesh that are at hand, by place, and the numbers of their vertices.
struct CloudView {
  int dimensions;
  std::span<const geometry::Point> points;
  std::span<const LocalIndex> numbers;
};

/// What clusters depend on of a mesh of which only a part is at hand.
struct WholeCloud {
  GlobalIndex num_points = 0;
  geometry::Box box;
  double radius = 0;    // of balls that hold as many points as wanted, typically
  bool is_even = false; // points fill the box about evenly
};

struct Clusters {
  std::vector<Cluster> all;
  bool even; // on a grid, or only one
};

/// Clusters, and which points they serve. Those that serve none have no members.
struct ServingClusters {
  Clusters clusters;
  ClusterWeights shares;
  double needed = 0; // they are those of the whole if nothing is missing up to this distance
};

/// Overlapping balls that together cover all points of a cloud; those of them that serve some
/// points. Vertices that are equally near to a place on the grid are chosen by number, if settings
/// say so. Depends otherwise on the places of points only. Where points fill their bounding box
/// about evenly, balls of one radius stand on a grid; elsewhere, on graded meshes and on surfaces,
/// they stand around centers with a quarter of the wanted points nearest to each. Those have as
/// many members as wanted times `reach`. `whole`: what is known where the cloud is the part of one
/// around the points; or null.
[[nodiscard]] ServingClusters make_clusters_for(std::span<const geometry::Point> asking,
                                                const CloudView& cloud,
                                                const PartitionSettings& settings, double reach,
                                                const WholeCloud* whole);

} // namespace isthmus::radial
