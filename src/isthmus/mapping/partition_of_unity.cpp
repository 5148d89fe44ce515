// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/cluster_interpolant.hpp"
#include "isthmus/mapping/clusters.hpp"
#include "isthmus/mapping/radial_basis.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

// Functions that are not positive definite err more towards the edge of a cluster, whose members
// are to be the more.
constexpr double reach = 1.4;

/// Which points a cluster serves, and with what weight.
struct Share {
  std::vector<LocalIndex> points;
  std::vector<double> weights;
};

/// The points in the ball, weighed by how near they are to its center.
Share share_of(const Cluster& cluster, const geometry::PointIndex& index,
               std::span<const Point> points) {
  Share share;
  index.within(cluster.center, cluster.radius, share.points);
  share.weights.assign(share.points.size(), 1.0);
  if (std::isfinite(cluster.radius)) {
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      const double away =
          distance(points[static_cast<std::size_t>(share.points[k])], cluster.center);
      share.weights[k] = away * away;
    }
    const RadialFunction bump{RadialFunction::Kind::compact_polynomial_c2, cluster.radius};
    bump.apply_to_squares(share.weights);
  }
  return share;
}

/// The partition of unity at points; those in no ball belong to the nearest one.
std::vector<Share> shares_of(std::span<const Cluster> clusters, std::span<const Point> points) {
  const geometry::PointIndex index(3, flat(points));
  std::vector<Share> shares;
  std::vector<double> sums(points.size(), 0.0);
  std::vector<Point> centers;
  for (const Cluster& cluster : clusters) {
    const Share& share = shares.emplace_back(share_of(cluster, index, points));
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      sums[static_cast<std::size_t>(share.points[k])] += share.weights[k];
    }
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

/// Adds to what the row of so many entries has of a column, behind the others where it has none of
/// it; behind them the weights are 0. Returns the new size. `place` is scratch, for each column.
LocalIndex add_to_row(std::span<const LocalIndex> columns, const double* weights, LocalIndex* place,
                      LocalIndex size, LocalIndex* row, double* weights_of_row) {
  for (LocalIndex k = 0; k < size; ++k) {
    place[row[k]] = k;
  }
  LocalIndex end = size;
  for (std::size_t k = 0; k < columns.size(); ++k) { // without branches, which would be guesses
    const LocalIndex column = columns[k];
    const bool may = place[column] < size;
    const LocalIndex at = may ? place[column] : 0;
    const bool has = static_cast<int>(may) * static_cast<int>(row[at] == column) != 0;
    const LocalIndex to = has ? at : end;
    weights_of_row[to] += weights[k];
    row[to] = column;
    end += static_cast<LocalIndex>(!has);
  }
  return end;
}

/// Rows under construction, with one entry per column, to which one cluster after another adds.
class Runs {
 public:
  Runs(std::span<const Cluster> clusters, std::span<const Share> shares, std::size_t points,
       std::size_t vertices)
      : begins_(points + 1, 0), sizes_(points, 0), place_(vertices, 0) {
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      for (LocalIndex point : shares[c].points) {
        begins_[static_cast<std::size_t>(point) + 1] += clusters[c].members.size();
      }
    }
    for (std::size_t i = 0; i < points; ++i) {
      begins_[i + 1] += begins_[i];
    }
    columns_.resize(begins_.back());
    weights_.resize(begins_.back());
  }

  /// Adds, to the row of each point, weights of the members of a cluster.
  void add(const Cluster& cluster, const Share& share, std::span<const double> weights) {
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      const auto row = static_cast<std::size_t>(share.points[k]);
      const auto begin = static_cast<std::ptrdiff_t>(begins_[row]);
      sizes_[row] =
          add_to_row(cluster.members, weights.data() + k * cluster.members.size(), place_.data(),
                     sizes_[row], columns_.data() + begin, weights_.data() + begin);
    }
  }

  /// Rows of numbers of vertices; ends the construction.
  [[nodiscard]] Interpolation finish(std::span<const LocalIndex> vertices) {
    Interpolation result;
    std::size_t to = 0;
    for (std::size_t row = 0; row < sizes_.size(); ++row) {
      const std::size_t end = begins_[row] + static_cast<std::size_t>(sizes_[row]);
      for (std::size_t k = begins_[row]; k < end; ++k, ++to) {
        columns_[to] = vertices[static_cast<std::size_t>(columns_[k])];
        weights_[to] = weights_[k];
      }
    }
    columns_.resize(to);
    weights_.resize(to);
    result.counts = std::move(sizes_);
    result.columns = std::move(columns_);
    result.weights = std::move(weights_);
    result.distances2.assign(result.counts.size(), 0.0);
    return result;
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<LocalIndex> sizes_;
  std::vector<LocalIndex> columns_;
  std::vector<double> weights_;
  std::vector<LocalIndex> place_; // scratch
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
    const bool is_definite = settings_.function.positive_definite();
    const Clusters clusters =
        make_clusters(mesh_.dimensions(), cloud.points, partition_, is_definite ? 1.0 : reach);
    return rows_of(clusters, cloud, points);
  }

 private:
  Interpolation rows_of(const Clusters& clusters, const Cloud& cloud,
                        std::span<const Point> points) const {
    const LinearFit fit = clusters.even || !settings_.function.positive_definite()
                              ? LinearFit::plain
                              : LinearFit::in_norm;
    const std::vector<Share> shares = shares_of(clusters.all, points);
    Runs runs(clusters.all, shares, points.size(), cloud.points.size());
    constexpr std::size_t batch = 256; // bounds the memory of the weights
    std::vector<std::vector<double>> weights(std::min(batch, clusters.all.size()));
    for (std::size_t first = 0; first < clusters.all.size(); first += batch) {
      const std::size_t size = std::min(batch, clusters.all.size() - first);
      parallel_for(size, 16, [&](std::size_t begin, std::size_t end) {
        ClusterInterpolant interpolant(settings_, fit);
        for (std::size_t k = begin; k < end; ++k) {
          find_weights(interpolant, clusters.all[first + k], shares[first + k], cloud.points,
                       points, weights[k]);
        }
      });
      for (std::size_t k = 0; k < size; ++k) {
        runs.add(clusters.all[first + k], shares[first + k], weights[k]);
      }
    }
    return runs.finish(cloud.vertices);
  }

  /// Of the members of a cluster, for each point that it serves.
  static void find_weights(ClusterInterpolant& interpolant, const Cluster& cluster,
                           const Share& share, std::span<const Point> cloud,
                           std::span<const Point> points, std::vector<double>& weights) {
    weights.resize(share.points.size() * cluster.members.size());
    if (!weights.empty()) {
      interpolant.factor(chosen(cloud, cluster.members));
      interpolant.weights(chosen(points, share.points), share.weights, weights);
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
