// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
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

  /// Appends what a cluster adds to the rows of the points that it serves.
  void append(const Cluster& cluster, const Share& share, std::span<const double> weights) {
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      append(share.points[k], cluster.members, weights.data() + k * cluster.members.size(),
             share.weights[k]);
    }
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
    const std::vector<Cluster> clusters =
        make_clusters(mesh_.dimensions(), cloud.points, partition_);
    const std::vector<Share> shares = shares_of(clusters, points);
    Runs runs(clusters, shares, points.size());
    constexpr std::size_t batch = 256; // bounds the memory of the weights
    std::vector<std::vector<double>> weights(std::min(batch, clusters.size()));
    for (std::size_t first = 0; first < clusters.size(); first += batch) {
      const std::size_t size = std::min(batch, clusters.size() - first);
      parallel_for(size, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          weights[k] = weights_of(clusters[first + k], shares[first + k], cloud.points, points);
        }
      });
      for (std::size_t k = 0; k < size; ++k) {
        runs.append(clusters[first + k], shares[first + k], weights[k]);
      }
    }
    return runs.finish(cloud.vertices);
  }

 private:
  /// Of the members of a cluster, for each point that it serves.
  std::vector<double> weights_of(const Cluster& cluster, const Share& share,
                                 std::span<const Point> cloud,
                                 std::span<const Point> points) const {
    if (share.points.empty()) {
      return {};
    }
    const std::vector<Point> centers = chosen(cloud, cluster.members);
    return RadialInterpolant(settings_, centers).weights(chosen(points, share.points));
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
