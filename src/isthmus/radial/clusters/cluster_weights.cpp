// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/cluster_weights.hpp"

#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/radial_function.hpp"

#include <cmath>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// How near points are to the center of a ball: from 1 to 0 at its surface, or where their reach
/// ends.
void weigh(const Cluster& cluster, std::span<const Point> points, std::span<const LocalIndex> ids,
           std::span<const double> reach, std::vector<double>& weights) {
  weights.assign(ids.size(), 1.0);
  if (std::isinf(cluster.radius)) {
    return;
  }
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const auto i = static_cast<std::size_t>(ids[k]);
    weights[k] = mapping::distance2(points[i], cluster.center);
    if (!reach.empty() && reach[i] < cluster.radius) {
      weights[k] *= cluster.radius / reach[i] * (cluster.radius / reach[i]);
    }
  }
  const RadialFunction bump{RadialFunction::Kind::compact_polynomial_c2, cluster.radius};
  bump.apply_to_squares(weights);
}

/// The cluster with the nearest center, of points.
std::vector<LocalIndex> nearest_cluster(std::span<const Cluster> clusters,
                                        std::span<const Point> points) {
  std::vector<LocalIndex> nearest(points.size());
  if (!points.empty() && !clusters.empty()) {
    std::vector<Point> centers;
    for (const Cluster& cluster : clusters) {
      centers.push_back(cluster.center);
    }
    std::vector<double> distances2(points.size());
    geometry::PointIndex(3, mapping::flat(centers))
        .nearest(mapping::flat(points), nearest, distances2);
  }
  return nearest;
}

/// Prepares the way from points to their clusters.
void transpose(ClusterWeights& shares, std::size_t num_points) {
  shares.begins_of_points.assign(num_points + 1, 0);
  for (const LocalIndex point : shares.points) {
    ++shares.begins_of_points[static_cast<std::size_t>(point) + 1];
  }
  for (std::size_t i = 0; i < num_points; ++i) {
    shares.begins_of_points[i + 1] += shares.begins_of_points[i];
  }
  std::vector<std::size_t> next(shares.begins_of_points);
  shares.of_points.resize(shares.points.size());
  shares.clusters.resize(shares.points.size());
  for (std::size_t c = 0; c + 1 < shares.begins.size(); ++c) {
    for (std::size_t s = shares.begins[c]; s < shares.begins[c + 1]; ++s) {
      const std::size_t to = next[static_cast<std::size_t>(shares.points[s])]++;
      shares.of_points[to] = s;
      shares.clusters[to] = static_cast<LocalIndex>(c);
    }
  }
}

} // namespace

ClusterWeights weigh(std::span<const Cluster> clusters, std::span<const Point> points,
                     std::span<const double> reach) {
  const geometry::PointIndex index(3, mapping::flat(points));
  std::vector<std::vector<LocalIndex>> inside(clusters.size());
  std::vector<std::vector<double>> weights(clusters.size());
  std::vector<double> sums(points.size(), 0.0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    index.within(clusters[c].center, clusters[c].radius, inside[c]);
    weigh(clusters[c], points, inside[c], reach, weights[c]);
    for (std::size_t k = 0; k < inside[c].size(); ++k) {
      sums[static_cast<std::size_t>(inside[c][k])] += weights[c][k];
    }
  }
  ClusterWeights shares;
  std::vector<LocalIndex>& outside = shares.outside;
  std::vector<Point> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (sums[i] == 0.0) {
      outside.push_back(static_cast<LocalIndex>(i));
      places.push_back(points[i]);
      sums[i] = 1.0;
    }
  }
  const std::vector<LocalIndex> nearest = nearest_cluster(clusters, places);
  for (std::size_t k = 0; k < outside.size() && !clusters.empty(); ++k) {
    inside[static_cast<std::size_t>(nearest[k])].push_back(outside[k]);
    weights[static_cast<std::size_t>(nearest[k])].push_back(1.0);
  }
  shares.begins.push_back(0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t k = 0; k < inside[c].size(); ++k) {
      if (weights[c][k] > 0) {
        shares.points.push_back(inside[c][k]);
        shares.parts.push_back(weights[c][k] / sums[static_cast<std::size_t>(inside[c][k])]);
      }
    }
    shares.begins.push_back(shares.points.size());
  }
  transpose(shares, points.size());
  return shares;
}

} // namespace isthmus::radial
