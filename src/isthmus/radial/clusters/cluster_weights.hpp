// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/search/point_index.hpp"

#include <span>
#include <vector>

namespace isthmus::radial {

/// A ball, and the points around its center from which is interpolated within it.
struct Cluster {
  geometry::Point center;
  double radius;                   // infinite if it is the only one
  std::vector<LocalIndex> members; // all points of the ball, in an order that places decide
};

/// The clusters in an order in which those that follow each other are near each other: what is
/// looked for around them one after another is at hand then.
[[nodiscard]] std::vector<LocalIndex> along_curve(std::span<const Cluster> clusters);

/// A partition of unity: which clusters serve which points, with what part of their values.
struct ClusterWeights {
  std::vector<std::size_t> begins; // of each cluster, in what follows
  std::vector<LocalIndex> points;
  std::vector<double> parts; // those of a point sum to one

  std::vector<LocalIndex> outside; // points that are in no ball

  std::vector<std::size_t> begins_of_points; // in what follows
  std::vector<std::size_t> of_points;        // positions in points, ascending
  std::vector<LocalIndex> clusters;          // of them

  [[nodiscard]] std::span<const LocalIndex> points_of(std::size_t cluster) const {
    return std::span(points).subspan(begins[cluster], begins[cluster + 1] - begins[cluster]);
  }
  [[nodiscard]] std::span<const double> parts_of(std::size_t cluster) const {
    return std::span(parts).subspan(begins[cluster], begins[cluster + 1] - begins[cluster]);
  }
};

/// The nearer a point is to the center of a ball, the larger is its part. Those that are in no ball
/// belong to the one with the nearest center. Depends on the places of clusters and points only.
/// `index`: of the points. `reach`: by point, how far away its clusters are at most, or empty: as
/// their balls say.
[[nodiscard]] ClusterWeights weigh(std::span<const Cluster> clusters,
                                   std::span<const geometry::Point> points,
                                   const geometry::PointIndex& index,
                                   std::span<const double> reach = {});
[[nodiscard]] ClusterWeights weigh(std::span<const Cluster> clusters,
                                   std::span<const geometry::Point> points);

} // namespace isthmus::radial
