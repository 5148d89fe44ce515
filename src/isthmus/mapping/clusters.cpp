// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/clusters.hpp"

#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace isthmus::mapping {

namespace {

using geometry::Point;

/// Bisection of points into leaves of nearly equal numbers, across the longest edge.
class Bisection {
 public:
  Bisection(std::span<const Point> points, std::size_t leaf_size)
      : points_(points), ids_(points.size()) {
    std::iota(ids_.begin(), ids_.end(), 0);
    split(ids_, (points.size() + leaf_size - 1) / leaf_size);
  }
  [[nodiscard]] std::span<const std::span<LocalIndex>> leaves() const { return leaves_; }

 private:
  void split(std::span<LocalIndex> ids, std::size_t parts) {
    if (parts <= 1) {
      leaves_.push_back(ids);
      return;
    }
    geometry::Box box;
    for (LocalIndex id : ids) {
      box.expand(points_[static_cast<std::size_t>(id)]);
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      axis = box.hi[k] - box.lo[k] > box.hi[axis] - box.lo[axis] ? k : axis;
    }
    const std::size_t left = ids.size() * (parts / 2) / parts;
    std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(left), ids.end(),
                     [this, axis](LocalIndex a, LocalIndex b) {
                       const double x = points_[static_cast<std::size_t>(a)][axis];
                       const double y = points_[static_cast<std::size_t>(b)][axis];
                       return x != y ? x < y : a < b;
                     });
    split(ids.first(left), parts / 2);
    split(ids.subspan(left), parts - parts / 2);
  }

  std::span<const Point> points_;
  std::vector<LocalIndex> ids_;
  std::vector<std::span<LocalIndex>> leaves_;
};

class Clustering {
 public:
  Clustering(std::span<const Point> points, const PartitionSettings& settings)
      : points_(points),
        settings_(settings),
        index_(3, {points.data()->data(), 3 * points.size()}) {}

  std::vector<Cluster> make(double leaf_size) const {
    const Bisection bisection(points_, static_cast<std::size_t>(std::max(1.0, leaf_size)));
    std::vector<Cluster> clusters;
    for (std::span<LocalIndex> leaf : bisection.leaves()) {
      std::sort(leaf.begin(), leaf.end()); // sums over it in this order
      clusters.push_back(around(leaf));
    }
    return clusters;
  }

 private:
  Cluster around(std::span<const LocalIndex> leaf) const {
    geometry::Box box;
    for (LocalIndex id : leaf) {
      box.expand(points_[static_cast<std::size_t>(id)]);
    }
    Cluster cluster{box.center(), 0, {}};
    if (settings_.project_to_input) {
      std::vector<LocalIndex> nearest;
      index_.nearest(cluster.center, 1, nearest);
      cluster.center = points_[static_cast<std::size_t>(nearest.front())];
    }
    for (LocalIndex id : leaf) {
      cluster.radius =
          std::max(cluster.radius, distance(cluster.center, points_[static_cast<std::size_t>(id)]));
    }
    if (cluster.radius == 0) { // one vertex: up to the next one
      std::vector<LocalIndex> nearest;
      index_.nearest(cluster.center, 2, nearest);
      cluster.radius = distance(cluster.center, points_[static_cast<std::size_t>(nearest.back())]);
    }
    cluster.radius *= 1.0 + settings_.relative_overlap;
    index_.within(cluster.center, cluster.radius, cluster.members);
    return cluster;
  }

  std::span<const Point> points_;
  const PartitionSettings& settings_;
  geometry::PointIndex index_;
};

double mean_size(std::span<const Cluster> clusters) {
  double sum = 0;
  for (const Cluster& cluster : clusters) {
    sum += static_cast<double>(cluster.members.size());
  }
  return sum / static_cast<double>(clusters.size());
}

} // namespace

std::vector<Cluster> make_clusters(std::span<const Point> points,
                                   const PartitionSettings& settings) {
  const auto wanted = static_cast<double>(settings.vertices_per_cluster);
  if (static_cast<double>(points.size()) <= wanted) {
    Cluster all{
        {}, std::numeric_limits<double>::infinity(), std::vector<LocalIndex>(points.size())};
    std::iota(all.members.begin(), all.members.end(), 0);
    return {all};
  }
  // a ball holds more than its leaf, by a factor that depends on how the points lie
  const Clustering clustering(points, settings);
  double leaf_size = wanted / 2;
  std::vector<Cluster> clusters = clustering.make(leaf_size);
  leaf_size *= wanted / mean_size(clusters);
  return clustering.make(leaf_size);
}

} // namespace isthmus::mapping
