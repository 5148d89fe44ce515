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

/// Rows under construction, ascending by column, to which one cluster after another adds.
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
    columns_.resize(begins_.back());
    weights_.resize(begins_.back());
  }

  /// Adds, to the row of each point, weights of the members of a cluster.
  void add(const Cluster& cluster, const Share& share, std::span<const double> weights) {
    for (std::size_t k = 0; k < share.points.size(); ++k) {
      add(static_cast<std::size_t>(share.points[k]), cluster.members,
          weights.data() + k * cluster.members.size());
    }
  }

  /// Rows of numbers of vertices; ends the construction.
  [[nodiscard]] Interpolation finish(std::span<const LocalIndex> vertices) {
    Interpolation result;
    std::size_t to = 0;
    for (std::size_t row = 0; row + 1 < begins_.size(); ++row) {
      for (std::size_t k = begins_[row]; k < ends_[row]; ++k, ++to) {
        columns_[to] = vertices[static_cast<std::size_t>(columns_[k])];
        weights_[to] = weights_[k];
      }
      result.counts.push_back(static_cast<LocalIndex>(ends_[row] - begins_[row]));
    }
    columns_.resize(to);
    weights_.resize(to);
    result.columns = std::move(columns_);
    result.weights = std::move(weights_);
    result.distances2.assign(result.counts.size(), 0.0);
    return result;
  }

 private:
  void add(std::size_t row, std::span<const LocalIndex> columns, const double* weights) {
    const std::size_t begin = begins_[row];
    const std::size_t old = ends_[row] - begin;
    old_columns_.assign(columns_.data() + begin, columns_.data() + begin + old);
    old_weights_.assign(weights_.data() + begin, weights_.data() + begin + old);
    LocalIndex* column = columns_.data() + begin;
    double* weight = weights_.data() + begin;
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < old && k < columns.size()) { // without branches, which would be guesses
      const LocalIndex a = old_columns_[i];
      const LocalIndex b = columns[k];
      *column++ = std::min(a, b);
      *weight++ = (a <= b ? old_weights_[i] : 0.0) + (b <= a ? weights[k] : 0.0);
      i += a <= b ? 1 : 0;
      k += b <= a ? 1 : 0;
    }
    column = std::copy(old_columns_.begin() + static_cast<std::ptrdiff_t>(i), old_columns_.end(),
                       column);
    weight = std::copy(old_weights_.begin() + static_cast<std::ptrdiff_t>(i), old_weights_.end(),
                       weight);
    column = std::copy(columns.begin() + static_cast<std::ptrdiff_t>(k), columns.end(), column);
    std::copy(weights + k, weights + columns.size(), weight);
    ends_[row] = static_cast<std::size_t>(column - columns_.data());
  }

  std::vector<std::size_t> begins_;
  std::vector<std::size_t> ends_;
  std::vector<LocalIndex> columns_;
  std::vector<double> weights_;
  std::vector<LocalIndex> old_columns_; // scratch
  std::vector<double> old_weights_;
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
    const Clusters clusters = make_clusters(mesh_.dimensions(), cloud.points, partition_);
    return rows_of(clusters, cloud, points);
  }

 private:
  Interpolation rows_of(const Clusters& clusters, const Cloud& cloud,
                        std::span<const Point> points) const {
    const LinearFit fit = clusters.even ? LinearFit::plain : LinearFit::in_norm;
    const std::vector<Share> shares = shares_of(clusters.all, points);
    Runs runs(clusters.all, shares, points.size());
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
