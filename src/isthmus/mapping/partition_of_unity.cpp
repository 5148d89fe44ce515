// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/clusters.hpp"
#include "isthmus/mapping/radial_basis.hpp"
#include "isthmus/mapping/radial_interpolant.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

std::span<const double> flat(std::span<const Point> points) {
  return points.empty() ? std::span<const double>()
                        : std::span<const double>(points.data()->data(), 3 * points.size());
}

/// Which points a cluster serves, and with what weight.
struct Share {
  std::vector<LocalIndex> points;
  std::vector<double> weights;
};

double blend(const Cluster& cluster, const Point& point) {
  if (std::isinf(cluster.radius)) {
    return 1.0;
  }
  const RadialFunction bump{RadialFunction::Kind::compact_polynomial_c2, cluster.radius};
  return bump(distance(point, cluster.center));
}

/// The partition of unity at points; those in no ball belong to the nearest one.
std::vector<Share> shares_of(std::span<const Cluster> clusters, std::span<const Point> points) {
  const geometry::PointIndex index(3, flat(points));
  std::vector<Share> shares(clusters.size());
  std::vector<double> sums(points.size(), 0.0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::vector<LocalIndex> inside;
    index.within(clusters[c].center, clusters[c].radius, inside);
    for (LocalIndex point : inside) {
      const double weight = blend(clusters[c], points[static_cast<std::size_t>(point)]);
      if (weight > 0) {
        shares[c].points.push_back(point);
        shares[c].weights.push_back(weight);
        sums[static_cast<std::size_t>(point)] += weight;
      }
    }
  }
  std::vector<Point> centers;
  for (const Cluster& cluster : clusters) {
    centers.push_back(cluster.center);
  }
  const geometry::PointIndex nearest(3, flat(centers));
  std::vector<LocalIndex> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (sums[i] == 0.0) {
      nearest.nearest(points[i], 1, found);
      Share& share = shares[static_cast<std::size_t>(found.front())];
      share.points.push_back(static_cast<LocalIndex>(i));
      share.weights.push_back(1.0);
      sums[i] = 1.0;
    }
  }
  for (Share& share : shares) {
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      share.weights[k] /= sums[static_cast<std::size_t>(share.points[k])];
    }
  }
  return shares;
}

/// Rows under construction: the entries of one cluster after those of another.
class Runs {
 public:
  Runs(std::span<const Cluster> clusters, std::span<const Share> shares, std::size_t points)
      : begins_(points + 1, 0) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      for (LocalIndex point : shares[c].points) {
        begins_[static_cast<std::size_t>(point) + 1] += clusters[c].members.size();
      }
    }
    for (std::size_t i = 0; i < points; ++i) {
      begins_[i + 1] += begins_[i];
    }
    ends_.assign(begins_.begin(), begins_.end() - 1);
    entries_.resize(begins_.back());
  }

  /// Appends a run, ascending, to a row.
  void append(LocalIndex point, std::span<const LocalIndex> columns, const double* weights,
              double factor) {
    const auto row = static_cast<std::size_t>(point);
    const std::size_t middle = ends_[row];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      entries_[ends_[row]++] = {columns[k], factor * weights[k]};
    }
    const auto at = [this](std::size_t i) {
      return entries_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::inplace_merge(at(begins_[row]), at(middle), at(ends_[row]),
                       [](const Run& a, const Run& b) { return a.column < b.column; });
  }

  /// Rows with one entry per column.
  [[nodiscard]] Interpolation finish(std::span<const LocalIndex> vertices) const {
    Interpolation result;
    result.columns.reserve(entries_.size());
    result.weights.reserve(entries_.size());
    for (std::size_t row = 0; row + 1 < begins_.size(); ++row) {
      const std::size_t before = result.columns.size();
      for (std::size_t k = begins_[row]; k < ends_[row]; ++k) {
        if (k > begins_[row] && entries_[k].column == entries_[k - 1].column) {
          result.weights.back() += entries_[k].weight;
        } else {
          result.columns.push_back(vertices[static_cast<std::size_t>(entries_[k].column)]);
          result.weights.push_back(entries_[k].weight);
        }
      }
      result.counts.push_back(static_cast<LocalIndex>(result.columns.size() - before));
    }
    result.distances2.assign(result.counts.size(), 0.0);
    return result;
  }

 private:
  struct Run {
    LocalIndex column;
    double weight;
  };
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> ends_;
  std::vector<Run> entries_;
};

class PartitionOfUnity final : public Mapping {
 public:
  PartitionOfUnity(const mesh::Mesh& mesh, RadialBasisSettings settings,
                   const PartitionSettings& partition)
      : mesh_(mesh), settings_(std::move(settings)), partition_(partition) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  Interpolation interpolate(std::span<const double> coordinates) const override {
    const Cloud cloud = cloud_of(mesh_, settings_.dead, settings_.place);
    const std::vector<Point> points = points_of(mesh_.dimensions(), coordinates, settings_.dead);
    if (cloud.points.empty() || points.empty()) {
      return {std::vector<LocalIndex>(points.size(), 0),
              {},
              {},
              std::vector<double>(points.size(), geometry::Box::infinity)};
    }
    const std::vector<Cluster> clusters = make_clusters(cloud.points, partition_);
    const std::vector<Share> shares = shares_of(clusters, points);
    Runs runs(clusters, shares, points.size());
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      if (!shares[c].points.empty()) {
        serve(clusters[c], shares[c], cloud.points, points, runs);
      }
    }
    return runs.finish(cloud.vertices);
  }

 private:
  void serve(const Cluster& cluster, const Share& share, std::span<const Point> cloud,
             std::span<const Point> points, Runs& runs) const {
    const std::vector<Point> centers = chosen(cloud, cluster.members);
    const RadialInterpolant interpolant(settings_, centers);
    const std::vector<double> weights = interpolant.weights(chosen(points, share.points));
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      runs.append(share.points[k], cluster.members, weights.data() + k * centers.size(),
                  share.weights[k]);
    }
  }

  static std::vector<Point> chosen(std::span<const Point> points, std::span<const LocalIndex> ids) {
    std::vector<Point> result;
    result.reserve(ids.size());
    for (LocalIndex id : ids) {
      result.push_back(points[static_cast<std::size_t>(id)]);
    }
    return result;
  }

  const mesh::Mesh& mesh_;
  RadialBasisSettings settings_;
  PartitionSettings partition_;
};

} // namespace

std::unique_ptr<Mapping> make_partition_of_unity(const mesh::Mesh& mesh,
                                                 RadialBasisSettings settings,
                                                 const PartitionSettings& partition) {
  return std::make_unique<PartitionOfUnity>(mesh, std::move(settings), partition);
}

} // namespace isthmus::mapping
