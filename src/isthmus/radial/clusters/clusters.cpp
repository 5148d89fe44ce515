// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/clusters.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/numbered_vertices.hpp"
#include "isthmus/radial/clusters/ball_filler.hpp"
#include "isthmus/radial/clusters/centers.hpp"
#include "isthmus/radial/clusters/cluster_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Point;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Points that are to be served, by all of a cloud or by a part of it.
struct Asking {
  std::span<const Point> points;
  geometry::PointIndex index;
  bool is_part;

  Asking(std::span<const Point> all, bool of_part)
      : points(all), index(3, mapping::flat(all)), is_part(of_part) {}
};

class Clustering {
 public:
  Clustering(const CloudView& cloud, const PartitionSettings& settings)
      : dimensions_(cloud.dimensions),
        points_(cloud.points),
        settings_(settings),
        index_(3, mapping::flat(cloud.points)),
        by_number_(in_order_of(cloud.numbers, cloud.points)),
        numbered_(3, mapping::flat(by_number_)) {}

  /// Balls of one radius around the vertices of a grid that spans the bounding box; none if the
  /// points do not fill it about evenly.
  std::vector<Cluster> make_grid() const {
    const geometry::Box box = box_around(points_, 0);
    const auto grid = ClusterGrid::make(dimensions_, box, typical_radius(box),
                                        settings_.relative_overlap, to_global(points_.size()));
    if (!grid) {
      return {};
    }
    std::vector<Cluster> clusters;
    std::size_t members = 0;
    for (const ClusterGrid::Place& at : grid->places_in(box)) {
      std::optional<Cluster> ball = grid_ball(*grid, at);
      if (!ball) {
        return {};
      }
      clusters.push_back(std::move(*ball));
      fill_grid_ball(clusters.back());
      members += clusters.back().members.size();
      if (!grid->is_usual(settings_.vertices_per_cluster, clusters.back().members.size()) ||
          !grid->are_few(members, to_global(points_.size()))) {
        return {};
      }
    }
    return cover_all(clusters) ? clusters : std::vector<Cluster>();
  }

  /// Those of a grid that serve some points: around these, as what is at hand may lie anywhere
  /// else, too, unless some are in no ball, whose nearest center may be anywhere.
  ServingClusters serve_on_grid(std::span<const Point> asking, const WholeCloud& whole) const {
    const double farthest = 2 * whole.radius * (1 + 1e-9); // point - center - place
    ServingClusters found = serve_on_grid(asking, whole, box_around(asking, farthest));
    return found.shares.outside.empty()
               ? std::move(found)
               : serve_on_grid(asking, whole, box_around(points_, whole.radius));
  }

  ServingClusters serve_on_grid(std::span<const Point> asking, const WholeCloud& whole,
                                const geometry::Box& part) const {
    const auto grid = ClusterGrid::make(dimensions_, whole.box, whole.radius,
                                        settings_.relative_overlap, whole.num_points);
    ServingClusters result{{{}, true}, {}, 3 * whole.radius}; // point - center - place - vertices
    std::vector<Cluster>& clusters = result.clusters.all;
    for (const ClusterGrid::Place& at : grid->places_in(part)) {
      if (std::optional<Cluster> ball = grid_ball(*grid, at)) {
        clusters.push_back(std::move(*ball));
      }
    }
    result.shares = weigh(clusters, asking);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      if (!result.shares.points_of(c).empty()) {
        fill_grid_ball(clusters[c]);
      }
    }
    result.needed = std::max(result.needed, outside(result, asking) + 2 * whole.radius);
    return result;
  }

  /// Balls of as many members as wanted, or more, around centers with a quarter of the usual
  /// number nearest to each; those of them that serve some points. No ball serves points whose own
  /// surroundings are much denser: so all that serve a point are near it.
  ServingClusters serve(const Asking& asking, std::size_t members) const {
    std::vector<double> away;
    if (asking.is_part) {
      away = distances(asking.index, points_).first;
    }
    const Centers centers = choose_centers(points_, index_, quarter(), away);
    ServingClusters result{{balls_around(centers), false}, {}, 0};
    std::vector<Cluster>& clusters = result.clusters.all;
    const std::vector<double> reach = limits(asking, centers, away, result);
    result.shares = weigh(clusters, asking.points, asking.index, reach);
    BallFiller filler(index_, members);
    for (const LocalIndex id : along_curve(clusters)) {
      const auto c = static_cast<std::size_t>(id);
      if (!result.shares.points_of(c).empty()) {
        const double members_reach = fill_ball(centers, c, filler, clusters[c]);
        const auto center = static_cast<std::size_t>(centers.chosen[c]);
        const double apart = asking.is_part ? away[center] : 0.0;
        result.needed = std::max(result.needed, apart + members_reach);
      }
    }
    if (asking.is_part) {
      const double widest = reach.empty() ? 0.0 : *std::max_element(reach.begin(), reach.end());
      const double farthest = outside(result, asking.points);
      result.needed =
          std::max({result.needed, farthest, needed_for(centers, away, widest, farthest)});
    }
    return result;
  }

 private:
  static geometry::Box box_around(std::span<const Point> points, double margin) {
    geometry::Box box = geometry::bounding_box(3, mapping::flat(points));
    box.expand(margin);
    return box;
  }

  static GlobalIndex to_global(std::size_t count) { return static_cast<GlobalIndex>(count); }

  [[nodiscard]] std::size_t quarter() const {
    return std::max<std::size_t>(2, static_cast<std::size_t>(settings_.vertices_per_cluster) / 4);
  }
  /// By the overlap on both sides.
  [[nodiscard]] double enlarged(double radius) const {
    return (1.0 + 2.0 * settings_.relative_overlap) * radius;
  }

  /// How far away the clusters of a point are at most, by the spacing around it: three times as far
  /// as balls of this spacing reach, so that few points have to know it.
  [[nodiscard]] double limit_at(double spacing) const {
    return 3 * enlarged(centers_apart * spacing);
  }

  /// That of each point; infinite, or none at all, where it is farther than the balls around it
  /// reach anyway. Notes what is needed to know it.
  std::vector<double> limits(const Asking& asking, const Centers& centers,
                             std::span<const double> away, ServingClusters& serving) const {
    std::vector<LocalIndex> doubtful(asking.is_part ? asking.points.size() : 0);
    std::iota(doubtful.begin(), doubtful.end(), 0);
    if (!asking.is_part) {
      const double least =
          limit_at(*std::min_element(centers.spacing.begin(), centers.spacing.end()));
      std::vector<LocalIndex> inside;
      for (const Cluster& cluster : serving.clusters.all) {
        if (cluster.radius > least) {
          asking.index.within(cluster.center, cluster.radius, inside);
          doubtful.insert(doubtful.end(), inside.begin(), inside.end());
        }
      }
      sort_once(doubtful);
    }
    if (doubtful.empty()) {
      return {};
    }
    std::vector<Point> points;
    for (const LocalIndex i : doubtful) {
      points.push_back(asking.points[static_cast<std::size_t>(i)]);
    }
    const auto [to_nearest, nearest] = distances(index_, points);
    std::vector<double> result(asking.points.size(), infinity);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto vertex = static_cast<std::size_t>(nearest[k]);
      const double spacing = centers.spacing[vertex];
      const double limit = limit_at(spacing);
      result[static_cast<std::size_t>(doubtful[k])] = limit;
      const double apart = asking.is_part ? away[vertex] : 0.0;
      serving.needed = std::max({serving.needed, to_nearest[k], limit, apart + spacing});
    }
    return result;
  }

  static std::vector<Point> in_order_of(std::span<const LocalIndex> numbers,
                                        std::span<const Point> points) {
    std::vector<Point> result(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      result[static_cast<std::size_t>(numbers[i])] = points[i];
    }
    return result;
  }

  /// From the nearest ones of an index, and these.
  static std::pair<std::vector<double>, std::vector<LocalIndex>> distances(
      const geometry::PointIndex& index, std::span<const Point> points) {
    std::vector<double> result(points.size());
    std::vector<LocalIndex> nearest(points.size());
    index.nearest(mapping::flat(points), nearest, result);
    for (double& distance : result) {
      distance = std::sqrt(distance);
    }
    return {std::move(result), std::move(nearest)};
  }

  /// How far points that are in no ball are from their centers, at most.
  static double outside(const ServingClusters& serving, std::span<const Point> asking) {
    double farthest = serving.clusters.all.empty() ? infinity : 0.0;
    for (std::size_t k = 0; k < serving.shares.outside.size() && std::isfinite(farthest); ++k) {
      const auto point = static_cast<std::size_t>(serving.shares.outside[k]);
      const auto cluster =
          static_cast<std::size_t>(serving.shares.clusters[serving.shares.begins_of_points[point]]);
      farthest = std::max(farthest,
                          mapping::distance(asking[point], serving.clusters.all[cluster].center));
    }
    return farthest;
  }

  double typical_radius(const geometry::Box& box) const {
    std::vector<double> samples;
    for (const Point& place : sample_points(dimensions_, box)) {
      samples.push_back(wanted_radius(place));
    }
    return median_of(std::move(samples));
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

  /// Without members; none where there is no vertex around its place.
  std::optional<Cluster> grid_ball(const ClusterGrid& grid, const ClusterGrid::Place& at) const {
    const Point place = grid.point(at);
    const Point vertex = nearest_vertex(place);
    if (mapping::distance(place, vertex) > grid.radius) {
      return std::nullopt;
    }
    return Cluster{settings_.project_to_input ? vertex : place, grid.radius, {}};
  }
  void fill_grid_ball(Cluster& cluster) const {
    index_.within(cluster.center, cluster.radius, cluster.members);
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

  /// Without members. Each covers the points that are nearest to its center.
  std::vector<Cluster> balls_around(const Centers& centers) const {
    std::vector<Cluster> clusters;
    for (std::size_t c = 0; c < centers.chosen.size(); ++c) {
      const auto i = static_cast<std::size_t>(centers.chosen[c]);
      clusters.push_back(
          {points_[i], std::max(enlarged(centers.farthest[c]), centers.spacing[i]), {}});
    }
    return clusters;
  }

  /// Up to which distance from those who ask nothing may be missed that decides about the balls
  /// around their points, which reach `widest` at most, and about centers that are not farther away
  /// than `outside`.
  double needed_for(const Centers& centers, std::span<const double> away, double widest,
                    double outside) const {
    double needed = 0;
    std::vector<LocalIndex> around;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double reach = centers_apart * centers.spacing[i];
      const bool may_serve = away[i] < std::min(widest, enlarged(reach));
      if (may_serve || away[i] <= outside) {
        needed = std::max(needed, centers.needed[i]);
      }
      const auto center = static_cast<LocalIndex>(i);
      if (may_serve && std::binary_search(centers.chosen.begin(), centers.chosen.end(), center)) {
        needed = std::max(needed, away[i] + 2 * reach); // what is nearer to other centers
        index_.within(points_[i], 2 * reach, around);
        for (const LocalIndex id : around) {
          needed = std::max(needed, centers.needed[static_cast<std::size_t>(id)]);
        }
      }
    }
    return needed;
  }

  /// With as many members as wanted around its center, or, if settings say so, the middle of what
  /// it covers; more if there are more within its radius. Returns how far from its center they
  /// reach; infinite where there are fewer.
  double fill_ball(const Centers& centers, std::size_t c, BallFiller& filler,
                   Cluster& cluster) const {
    const Point& around = settings_.project_to_input ? cluster.center : centers.middles[c];
    const double spacing = centers.spacing[static_cast<std::size_t>(centers.chosen[c])];
    return mapping::distance(cluster.center, around) + filler.fill(around, spacing, cluster);
  }

  int dimensions_;
  std::span<const Point> points_;
  const PartitionSettings& settings_;
  geometry::PointIndex index_;
  std::vector<Point> by_number_;
  mutable mapping::NumberedVertices numbered_;
};

std::size_t members_of(const PartitionSettings& settings, double reach) {
  return std::max<std::size_t>(
      2, static_cast<std::size_t>(reach * static_cast<double>(settings.vertices_per_cluster)));
}

Clusters all_in_one(std::size_t num_points) {
  Cluster all{{}, infinity, std::vector<LocalIndex>(num_points)};
  std::iota(all.members.begin(), all.members.end(), 0);
  return {{all}, true};
}

} // namespace

ServingClusters make_clusters_for(std::span<const Point> asking, const CloudView& cloud,
                                  const PartitionSettings& settings, double reach,
                                  const WholeCloud* whole) {
  const auto at_hand = static_cast<GlobalIndex>(cloud.points.size());
  const GlobalIndex num_points = whole != nullptr ? whole->num_points : at_hand;
  if (num_points <= settings.vertices_per_cluster) {
    ServingClusters one{all_in_one(cloud.points.size()), {}, at_hand < num_points ? infinity : 0};
    one.shares = weigh(one.clusters.all, asking);
    return one;
  }
  const Clustering clustering(cloud, settings);
  if (whole != nullptr && whole->is_even) {
    return clustering.serve_on_grid(asking, *whole);
  }
  if (whole == nullptr) {
    ServingClusters even{{clustering.make_grid(), true}, {}, 0};
    if (!even.clusters.all.empty()) {
      even.shares = weigh(even.clusters.all, asking);
      return even;
    }
  }
  return clustering.serve({asking, whole != nullptr}, members_of(settings, reach));
}

} // namespace isthmus::radial
