// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/clusters.hpp"

#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/numbered_vertices.hpp"
#include "isthmus/radial/clusters/bisection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace isthmus::radial {

namespace {

using geometry::Point;

// Balls that a vertex of a grid's cluster is in, on average: between two (plane) and six (space);
// more around a surface that the grid is not made for.
constexpr std::size_t most_around = 8;

class Clustering {
 public:
  Clustering(int dimensions, std::span<const Point> points, std::span<const LocalIndex> numbers,
             const PartitionSettings& settings)
      : dimensions_(dimensions),
        points_(points),
        settings_(settings),
        index_(3, mapping::flat(points)),
        by_number_(in_order_of(numbers, points)),
        numbered_(3, mapping::flat(by_number_)) {}

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

  /// Balls around the cells of vertices that are nearest to the middle of a leaf of a bisection.
  std::vector<Cluster> make_cells(std::size_t size, std::size_t wanted) const {
    std::vector<Point> by_leaf; // what follows each other is near each other
    std::vector<Point> centers;
    for (const std::vector<LocalIndex>& leaf :
         bisect(points_, (points_.size() + size - 1) / size)) {
      Point& mean = centers.emplace_back();
      for (LocalIndex id : leaf) {
        const Point& x = by_leaf.emplace_back(points_[static_cast<std::size_t>(id)]);
        for (std::size_t k = 0; k < 3; ++k) {
          mean[k] += x[k] / static_cast<double>(leaf.size());
        }
      }
    }
    if (settings_.project_to_input) {
      project(centers);
    }
    const geometry::PointIndex index(3, mapping::flat(centers));
    std::vector<LocalIndex> nearest(by_leaf.size());
    std::vector<double> distances2(by_leaf.size());
    index.nearest(mapping::flat(by_leaf), nearest, distances2);
    std::vector<double> farthest2(centers.size(), -1.0);
    for (std::size_t i = 0; i < by_leaf.size(); ++i) {
      double& of_center = farthest2[static_cast<std::size_t>(nearest[i])];
      of_center = std::max(of_center, distances2[i]);
    }
    std::vector<Cluster> clusters;
    for (std::size_t c = 0; c < centers.size(); ++c) {
      if (farthest2[c] >= 0) { // it is the nearest one of some vertex
        clusters.push_back(ball(centers[c], std::sqrt(farthest2[c]), wanted));
      }
    }
    return clusters;
  }

 private:
  static std::vector<Point> in_order_of(std::span<const LocalIndex> numbers,
                                        std::span<const Point> points) {
    std::vector<Point> result(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      result[static_cast<std::size_t>(numbers[i])] = points[i];
    }
    return result;
  }

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
    return mapping::distance(center, points_[static_cast<std::size_t>(nearest.back())]);
  }

  Point nearest_vertex(const Point& point) const {
    const std::span<const double> query(point);
    const bool by_number = settings_.ties == geometry::Ties::by_number;
    LocalIndex nearest = 0;
    double distance2 = 0;
    std::vector<std::size_t> tied;
    index_.nearest(query, {&nearest, 1}, {&distance2, 1}, by_number ? &tied : nullptr);
    if (tied.empty()) {
      return points_[static_cast<std::size_t>(nearest)];
    }
    numbered_.find(query, tied, {&nearest, 1});
    return by_number_[static_cast<std::size_t>(nearest)];
  }

  /// Without members where there is no vertex around its place.
  Cluster grid_ball(const geometry::Box& box, const std::array<int, 3>& intervals,
                    const std::array<int, 3>& at, double radius) const {
    Point center{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double part = intervals[k] > 0 ? static_cast<double>(at[k]) / intervals[k] : 0.0;
      center[k] = box.lo[k] + part * (box.hi[k] - box.lo[k]);
    }
    const Point vertex = nearest_vertex(center);
    Cluster cluster{settings_.project_to_input ? vertex : center, radius, {}};
    if (mapping::distance(center, vertex) <= radius) {
      index_.within(cluster.center, radius, cluster.members);
    }
    return cluster;
  }

  /// In a corner there is an eighth of what there is inside.
  bool is_usual(std::size_t size) const {
    const auto wanted = static_cast<std::size_t>(settings_.vertices_per_cluster);
    return size > 0 && size >= wanted / 16 && size <= 4 * wanted;
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

  /// Moves places to the nearest vertices.
  void project(std::vector<Point>& places) const {
    std::vector<LocalIndex> nearest(places.size());
    std::vector<double> distances2(places.size());
    index_.nearest(mapping::flat(places), nearest, distances2);
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i] = points_[static_cast<std::size_t>(nearest[i])];
    }
  }

  /// That covers its cell and reaches into those around it, with as many members as wanted, or more
  /// if there are more within.
  Cluster ball(const Point& center, double farthest, std::size_t wanted) const {
    Cluster cluster{center, farthest * (1.0 + 2.0 * settings_.relative_overlap), {}};
    index_.nearest(center, std::max<std::size_t>(wanted, 2), cluster.members);
    const auto distance_of = [this, &center](LocalIndex id) {
      return mapping::distance(center, points_[static_cast<std::size_t>(id)]);
    };
    if (cluster.radius == 0) { // a cell of one vertex: up to the next one
      cluster.radius = distance_of(cluster.members[1]);
    }
    cluster.members.resize(std::min(cluster.members.size(), wanted));
    if (distance_of(cluster.members.back()) < cluster.radius) {
      index_.within(center, cluster.radius, cluster.members);
    }
    return cluster;
  }

  int dimensions_;
  std::span<const Point> points_;
  const PartitionSettings& settings_;
  geometry::PointIndex index_;
  std::vector<Point> by_number_;
  mutable mapping::NumberedVertices numbered_;
};

} // namespace

Clusters make_clusters(int dimensions, std::span<const Point> points,
                       std::span<const LocalIndex> numbers, const PartitionSettings& settings,
                       double reach) {
  const auto wanted = static_cast<std::size_t>(settings.vertices_per_cluster);
  if (points.size() <= wanted) {
    Cluster all{
        {}, std::numeric_limits<double>::infinity(), std::vector<LocalIndex>(points.size())};
    std::iota(all.members.begin(), all.members.end(), 0);
    return {{all}, true};
  }
  const Clustering clustering(dimensions, points, numbers, settings);
  std::vector<Cluster> clusters = clustering.make_grid();
  if (!clusters.empty()) {
    return {clusters, true};
  }
  // cells much smaller than balls: every point is near the middle of some
  const auto members = static_cast<std::size_t>(reach * static_cast<double>(wanted));
  return {clustering.make_cells(std::max<std::size_t>(1, wanted / 4), members), false};
}

} // namespace isthmus::radial
