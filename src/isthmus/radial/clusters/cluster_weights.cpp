// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/cluster_weights.hpp"

#include "isthmus/geometry/morton.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/radial_function.hpp"

#include <cmath>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// Points of a ball and how near they are to its center: from 1 to 0 at its surface, or where their
/// reach ends.
struct Weighed {
  std::vector<LocalIndex> points;
  std::vector<double> weights;
};

Weighed weighed(const Cluster& cluster, std::span<const geometry::PointIndex::Neighbor> inside,
                std::span<const double> reach) {
  Weighed result;
  result.points.reserve(inside.size());
  result.weights.reserve(inside.size());
  for (const geometry::PointIndex::Neighbor& one : inside) {
    result.points.push_back(one.id);
    result.weights.push_back(one.distance2);
  }
  if (std::isinf(cluster.radius)) {
    result.weights.assign(inside.size(), 1.0);
    return result;
  }
  for (std::size_t k = 0; k < inside.size() && !reach.empty(); ++k) {
    const double most = reach[static_cast<std::size_t>(result.points[k])];
    if (most < cluster.radius) {
      result.weights[k] *= cluster.radius / most * (cluster.radius / most);
    }
  }
  const RadialFunction bump{RadialFunction::Kind::compact_polynomial_c2, cluster.radius};
  bump.apply_to_squares(result.weights);
  return result;
}

std::vector<Point> centers_of(std::span<const Cluster> clusters) {
  std::vector<Point> centers;
  centers.reserve(clusters.size());
  for (const Cluster& cluster : clusters) {
    centers.push_back(cluster.center);
  }
  return centers;
}

/// The cluster with the nearest center, of points.
std::vector<LocalIndex> nearest_cluster(std::span<const Cluster> clusters,
                                        std::span<const Point> points) {
  std::vector<LocalIndex> nearest(points.size());
  if (!points.empty() && !clusters.empty()) {
    const std::vector<Point> centers = centers_of(clusters);
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

std::vector<LocalIndex> along_curve(std::span<const Cluster> clusters) {
  return geometry::curve_order(3, mapping::flat(centers_of(clusters)));
}

ClusterWeights weigh(std::span<const Cluster> clusters, std::span<const Point> points,
                     const geometry::PointIndex& index, std::span<const double> reach) {
  std::vector<Weighed> inside(clusters.size());
  std::vector<geometry::PointIndex::Neighbor> found;
  for (const LocalIndex id : along_curve(clusters)) {
    const auto c = static_cast<std::size_t>(id);
    index.within(clusters[c].center, clusters[c].radius, found);
    inside[c] = weighed(clusters[c], found, reach);
  }
  std::vector<double> sums(points.size(), 0.0);
  for (const Weighed& of : inside) {
    for (std::size_t k = 0; k < of.points.size(); ++k) {
      sums[static_cast<std::size_t>(of.points[k])] += of.weights[k];
    }
  }
  ClusterWeights shares;
  std::vector<LocalIndex>& outside = shares.outside;
  std::vector<Point> uncovered;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (sums[i] == 0.0) {
      outside.push_back(static_cast<LocalIndex>(i));
      uncovered.push_back(points[i]);
      sums[i] = 1.0;
    }
  }
  const std::vector<LocalIndex> nearest = nearest_cluster(clusters, uncovered);
  for (std::size_t k = 0; k < outside.size() && !clusters.empty(); ++k) {
    Weighed& of = inside[static_cast<std::size_t>(nearest[k])];
    of.points.push_back(outside[k]);
    of.weights.push_back(1.0);
  }
  shares.begins.push_back(0);
  for (const Weighed& of : inside) {
    for (std::size_t k = 0; k < of.points.size(); ++k) {
      if (of.weights[k] > 0) {
        shares.points.push_back(of.points[k]);
        shares.parts.push_back(of.weights[k] / sums[static_cast<std::size_t>(of.points[k])]);
      }
    }
    shares.begins.push_back(shares.points.size());
  }
  transpose(shares, points.size());
  return shares;
}

ClusterWeights weigh(std::span<const Cluster> clusters, std::span<const Point> points) {
  return weigh(clusters, points, geometry::PointIndex(3, mapping::flat(points)));
}

} // namespace isthmus::radial
