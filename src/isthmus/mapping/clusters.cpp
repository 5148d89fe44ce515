// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/clusters.hpp"

#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/bisection.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace isthmus::mapping {

namespace {

using geometry::Point;

// Balls that a vertex of a grid's cluster is in, on average: between two (plane) and six (space);
// more around a surface that the grid is not made for.
constexpr std::size_t most_around = 8;

class Clustering {
 public:
  Clustering(int dimensions, std::span<const Point> points, const PartitionSettings& settings)
      : dimensions_(dimensions),
        points_(points),
        settings_(settings),
        index_(3, {points.data()->data(), 3 * points.size()}) {}

  /// Balls of one radius around the vertices of a grid that spans the bounding box; none if the
  /// points do not fill it about evenly.
  std::vector<Cluster> make_grid() const {
    geometry::Box box;
    for (const Point& point : points_) {
      box.expand(point);
    }
    const double radius = typical_radius(box);
    const double farthest =
        std::sqrt(4.0 / dimensions_) * radius * (1.0 - settings_.relative_overlap);
    std::array<int, 3> intervals{};
    double count = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const double number = std::ceil((box.hi[k] - box.lo[k]) / farthest);
      count *= number + 1;
      if (!(count < static_cast<double>(points_.size()))) { // also if the radius is 0
        return {};
      }
      intervals[k] = static_cast<int>(number);
    }
    std::vector<Cluster> clusters;
    std::size_t members = 0;
    for (int a = 0; a <= intervals[0]; ++a) {
      for (int b = 0; b <= intervals[1]; ++b) {
        for (int c = 0; c <= intervals[2]; ++c) {
          clusters.push_back(grid_ball(box, intervals, {a, b, c}, radius));
          members += clusters.back().members.size();
          if (!is_usual(clusters.back().members.size()) || members > most_around * points_.size()) {
            return {};
          }
        }
      }
    }
    return cover_all(clusters) ? clusters : std::vector<Cluster>();
  }

  /// Balls around the leaves of a bisection.
  std::vector<Cluster> make(std::size_t size) const {
    std::vector<Cluster> clusters;
    for (const std::vector<LocalIndex>& leaf :
         bisect(points_, (points_.size() + size - 1) / size)) {
      clusters.push_back(around(leaf));
    }
    return clusters;
  }

 private:
  /// Within how far of its vertex a ball holds as many as wanted: the median of seven samples.
  double typical_radius(const geometry::Box& box) const {
    std::vector<double> samples{wanted_radius(box.center())};
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double shift : {-0.25, 0.25}) {
        if (k < static_cast<std::size_t>(dimensions_)) {
          Point point = box.center();
          point[k] += shift * (box.hi[k] - box.lo[k]);
          samples.push_back(wanted_radius(point));
        }
      }
    }
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
  }

  double wanted_radius(const Point& near) const {
    const Point center = nearest_vertex(near);
    std::vector<LocalIndex> nearest;
    index_.nearest(center, static_cast<std::size_t>(settings_.vertices_per_cluster), nearest);
    return distance(center, points_[static_cast<std::size_t>(nearest.back())]);
  }

  Point nearest_vertex(const Point& point) const {
    std::vector<LocalIndex> nearest;
    index_.nearest(point, 1, nearest);
    return points_[static_cast<std::size_t>(nearest.front())];
  }

  Cluster grid_ball(const geometry::Box& box, const std::array<int, 3>& intervals,
                    const std::array<int, 3>& at, double radius) const {
    Point center{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double part = intervals[k] > 0 ? static_cast<double>(at[k]) / intervals[k] : 0.0;
      center[k] = box.lo[k] + part * (box.hi[k] - box.lo[k]);
    }
    Cluster cluster{settings_.project_to_input ? nearest_vertex(center) : center, radius, {}};
    index_.within(cluster.center, radius, cluster.members);
    return cluster;
  }

  /// In a corner there is an eighth of what there is inside.
  bool is_usual(std::size_t size) const {
    const auto wanted = static_cast<std::size_t>(settings_.vertices_per_cluster);
    return size >= wanted / 16 && size <= 4 * wanted;
  }

  [[nodiscard]] bool cover_all(std::span<const Cluster> clusters) const {
    std::vector<char> covered(points_.size(), 0);
    for (const Cluster& cluster : clusters) {
      for (LocalIndex member : cluster.members) {
        covered[static_cast<std::size_t>(member)] = 1;
      }
    }
    return std::find(covered.begin(), covered.end(), 0) == covered.end();
  }

  Cluster around(std::span<const LocalIndex> leaf) const {
    geometry::Box box;
    for (LocalIndex id : leaf) {
      box.expand(points_[static_cast<std::size_t>(id)]);
    }
    Cluster cluster{box.center(), 0, {}};
    if (settings_.project_to_input) {
      cluster.center = nearest_vertex(cluster.center);
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
    cluster.radius = std::max(cluster.radius * (1.0 + settings_.relative_overlap),
                              wanted_radius(cluster.center));
    index_.within(cluster.center, cluster.radius, cluster.members);
    return cluster;
  }

  int dimensions_;
  std::span<const Point> points_;
  const PartitionSettings& settings_;
  geometry::PointIndex index_;
};

} // namespace

std::vector<Cluster> make_clusters(int dimensions, std::span<const Point> points,
                                   const PartitionSettings& settings) {
  const auto wanted = static_cast<std::size_t>(settings.vertices_per_cluster);
  if (points.size() <= wanted) {
    Cluster all{
        {}, std::numeric_limits<double>::infinity(), std::vector<LocalIndex>(points.size())};
    std::iota(all.members.begin(), all.members.end(), 0);
    return {all};
  }
  const Clustering clustering(dimensions, points, settings);
  std::vector<Cluster> clusters = clustering.make_grid();
  if (!clusters.empty()) {
    return clusters;
  }
  // leaves much smaller than balls: every point is near the middle of some
  return clustering.make(std::max<std::size_t>(1, wanted / 4));
}

} // namespace isthmus::mapping
