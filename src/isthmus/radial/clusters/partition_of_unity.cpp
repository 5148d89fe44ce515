// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/partition_of_unity.hpp"

#include "isthmus/base/large_pages.hpp"
#include "isthmus/base/log.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/cluster_interpolant.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::radial {

namespace {

using geometry::Point;

// Functions that are not positive definite err more towards the edge of a cluster, whose members
// are to be the more.
constexpr double reach = 1.4;

/// Weights of the members of clusters for the points that they serve.
class Blocks {
 public:
  Blocks(std::span<const Cluster> clusters, const ClusterWeights& shares) {
    std::size_t size = 0;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      begins_.push_back(size);
      size += shares.points_of(c).size() * clusters[c].members.size();
    }
    begins_.push_back(size);
    weights_ = std::make_unique_for_overwrite<double[]>(size);
    use_large_pages(weights_.get(), size * sizeof(double));
  }

  /// A row of all members for each of its points.
  [[nodiscard]] std::span<double> of(std::size_t cluster) const {
    return {weights_.get() + begins_[cluster], begins_[cluster + 1] - begins_[cluster]};
  }
  [[nodiscard]] std::size_t size() const { return begins_.back(); }

 private:
  std::vector<std::size_t> begins_;
  std::unique_ptr<double[]> weights_;
};

/// Adds to what the row of so many entries has of a column, behind the others where it has none of
/// it; behind them the weights are 0. Returns the new size. `place` is scratch, for each column.
LocalIndex add_to_row(std::span<const LocalIndex> columns, const double* weights, LocalIndex* place,
                      LocalIndex size, LocalIndex* row, double* weights_of_row) {
  if (size == 0) {
    std::copy(columns.begin(), columns.end(), row);
    std::copy(weights, weights + columns.size(), weights_of_row);
    return static_cast<LocalIndex>(columns.size());
  }
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

void prefetch(std::span<const double> row) {
  constexpr std::size_t line = 8;
  for (std::size_t k = 0; k < row.size(); k += line) {
    __builtin_prefetch(row.data() + k);
  }
}

/// Joins the rows of the clusters of each point, with one entry per column.
mapping::Interpolation join(std::span<const Cluster> clusters, const ClusterWeights& shares,
                            const Blocks& blocks, std::span<const LocalIndex> vertices) {
  mapping::Interpolation result;
  const std::size_t num_points = shares.begins_of_points.size() - 1;
  result.counts.reserve(num_points);
  result.distances2.assign(num_points, 0.0);
  result.columns.reserve(blocks.size());
  result.weights.reserve(blocks.size());
  use_large_pages(result.columns.data(), blocks.size() * sizeof(LocalIndex));
  use_large_pages(result.weights.data(), blocks.size() * sizeof(double));
  std::vector<LocalIndex> place(vertices.size(), 0);
  const auto row_of = [&](std::size_t k) {
    const auto c = static_cast<std::size_t>(shares.clusters[k]);
    return blocks.of(c).subspan(
        (shares.of_points[k] - shares.begins[c]) * clusters[c].members.size(),
        clusters[c].members.size());
  };
  for (std::size_t i = 0; i < num_points; ++i) {
    constexpr std::size_t ahead = 4;
    for (std::size_t k = shares.begins_of_points[std::min(i + ahead, num_points)];
         k < shares.begins_of_points[std::min(i + ahead + 1, num_points)]; ++k) {
      prefetch(row_of(k));
    }
    const std::size_t begin = result.columns.size();
    LocalIndex size = 0;
    for (std::size_t k = shares.begins_of_points[i]; k < shares.begins_of_points[i + 1]; ++k) {
      const auto c = static_cast<std::size_t>(shares.clusters[k]);
      const std::span<const LocalIndex> members = clusters[c].members;
      const std::size_t end = begin + static_cast<std::size_t>(size) + members.size();
      result.columns.resize(end);
      result.weights.resize(end);
      size = add_to_row(members, row_of(k).data(), place.data(), size,
                        result.columns.data() + begin, result.weights.data() + begin);
    }
    const std::size_t end = begin + static_cast<std::size_t>(size);
    result.columns.resize(end);
    result.weights.resize(end);
    for (std::size_t k = begin; k < end; ++k) {
      result.columns[k] = vertices[static_cast<std::size_t>(result.columns[k])];
    }
    result.counts.push_back(size);
  }
  return result;
}

/// The clusters are there and who serves whom; their systems are solved later.
class LateWeights final : public mapping::LateInterpolation {
 public:
  LateWeights(const mesh::Mesh& mesh, const RadialBasisSettings& settings,
              const PartitionSettings& partition, mapping::Cloud cloud, std::vector<Point> points)
      : mesh_(mesh.name()),
        settings_(settings),
        cloud_(std::move(cloud)),
        points_(std::move(points)),
        clusters_(make_clusters(mesh.dimensions(), cloud_.points, cloud_.vertices, partition,
                                settings.function.positive_definite() ? 1.0 : reach)),
        shares_(weigh(clusters_.all, points_)) {}

  std::vector<LocalIndex> vertices() const override {
    std::vector<char> is_member(cloud_.vertices.size(), 0);
    for (std::size_t c = 0; c < clusters_.all.size(); ++c) {
      if (!shares_.points_of(c).empty()) {
        for (const LocalIndex member : clusters_.all[c].members) {
          is_member[static_cast<std::size_t>(member)] = 1;
        }
      }
    }
    std::vector<LocalIndex> result;
    for (std::size_t i = 0; i < is_member.size(); ++i) {
      if (is_member[i] != 0) {
        result.push_back(cloud_.vertices[i]);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  mapping::Interpolation find() const override {
    const std::span<const Cluster> clusters = clusters_.all;
    const LinearFit fit = clusters_.even || !settings_.function.positive_definite()
                              ? LinearFit::plain
                              : LinearFit::in_norm;
    const Blocks blocks(clusters, shares_);
    std::atomic<std::size_t> num_flat = 0;
    parallel_for(settings_.threads, clusters.size(), 16, [&](std::size_t begin, std::size_t end) {
      ClusterInterpolant interpolant(settings_, fit);
      for (std::size_t c = begin; c < end; ++c) {
        if (!shares_.points_of(c).empty()) {
          interpolant.factor(chosen(cloud_.points, clusters[c].members));
          interpolant.weights(chosen(points_, shares_.points_of(c)), shares_.parts_of(c),
                              blocks.of(c));
          num_flat += interpolant.is_flat() ? 1 : 0;
        }
      }
    });
    note_fallbacks(num_flat);
    return join(clusters, shares_, blocks, cloud_.vertices);
  }

 private:
  void note_fallbacks(std::size_t num_flat) const {
    const std::size_t num_clusters = clusters_.all.size();
    std::string text;
    if (num_clusters == 1) {
      text += fmt::format("; its {} vertices are one cluster", cloud_.points.size());
    }
    if (num_flat > 0) {
      text += fmt::format(
          "; the vertices of {} of {} clusters lie in a plane or on a line, so that the polynomial "
          "has no slope across",
          num_flat, num_clusters);
    }
    if (shares_.num_outside > 0) {
      text += fmt::format("; {} points are in no cluster and belong to the nearest one",
                          shares_.num_outside);
    }
    if (settings_.log != nullptr && !text.empty()) {
      settings_.log->info(settings_.place,
                          fmt::format("{}, from mesh \"{}\"{}", settings_.place, mesh_, text));
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

  std::string mesh_;
  RadialBasisSettings settings_;
  mapping::Cloud cloud_;
  std::vector<Point> points_;
  Clusters clusters_;
  ClusterWeights shares_;
};

class PartitionOfUnity final : public mapping::Mapping {
 public:
  PartitionOfUnity(const mesh::Mesh& mesh, RadialBasisSettings settings,
                   const PartitionSettings& partition)
      : mesh_(mesh), settings_(std::move(settings)), partition_(partition) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  mapping::Interpolation interpolate(std::span<const double> coordinates) const override {
    if (const auto found = make_clusters_of(coordinates)) {
      return found->find();
    }
    const std::size_t num_points =
        coordinates.size() / static_cast<std::size_t>(mesh_.dimensions());
    return {std::vector<LocalIndex>(num_points, 0),
            {},
            {},
            std::vector<double>(num_points, geometry::Box::infinity)};
  }

  std::unique_ptr<mapping::LateInterpolation> later(const mesh::Mesh& asking) const override {
    return make_clusters_of(asking.coordinates());
  }

 private:
  /// Null where there are no vertices or no points.
  std::unique_ptr<LateWeights> make_clusters_of(std::span<const double> coordinates) const {
    mapping::Cloud cloud = mapping::cloud_of(mesh_, settings_.dead, settings_.place);
    std::vector<Point> points = mapping::points_of(mesh_.dimensions(), coordinates, settings_.dead);
    if (cloud.points.empty() || points.empty()) {
      return nullptr;
    }
    return std::make_unique<LateWeights>(mesh_, settings_, partition_, std::move(cloud),
                                         std::move(points));
  }

  const mesh::Mesh& mesh_;
  RadialBasisSettings settings_;
  PartitionSettings partition_;
};

} // namespace

std::unique_ptr<mapping::Mapping> make_partition_of_unity(const mesh::Mesh& mesh,
                                                          RadialBasisSettings settings,
                                                          const PartitionSettings& partition) {
  return std::make_unique<PartitionOfUnity>(mesh, std::move(settings), partition);
}

} // namespace isthmus::radial
