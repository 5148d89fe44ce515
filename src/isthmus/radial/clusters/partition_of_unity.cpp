// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/large_pages.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/cluster_interpolant.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"
#include "isthmus/radial/clusters/clusters.hpp"
#include "isthmus/radial/radial_basis.hpp"

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

class PartitionOfUnity final : public mapping::Mapping {
 public:
  PartitionOfUnity(const mesh::Mesh& mesh, RadialBasisSettings settings,
                   const PartitionSettings& partition)
      : mesh_(mesh), settings_(std::move(settings)), partition_(partition) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  mapping::Interpolation interpolate(std::span<const double> coordinates) const override {
    const mapping::Cloud cloud = mapping::cloud_of(mesh_, settings_.dead, settings_.place);
    const std::vector<Point> points =
        mapping::points_of(mesh_.dimensions(), coordinates, settings_.dead);
    if (cloud.points.empty() || points.empty()) {
      return {std::vector<LocalIndex>(points.size(), 0),
              {},
              {},
              std::vector<double>(points.size(), geometry::Box::infinity)};
    }
    const bool is_definite = settings_.function.positive_definite();
    const Clusters clusters = make_clusters(mesh_.dimensions(), cloud.points, cloud.vertices,
                                            partition_, is_definite ? 1.0 : reach);
    return rows_of(clusters, cloud, points);
  }

 private:
  mapping::Interpolation rows_of(const Clusters& clusters, const mapping::Cloud& cloud,
                                 std::span<const Point> points) const {
    const LinearFit fit = clusters.even || !settings_.function.positive_definite()
                              ? LinearFit::plain
                              : LinearFit::in_norm;
    const ClusterWeights shares = weigh(clusters.all, points);
    const Blocks blocks(clusters.all, shares);
    std::atomic<std::size_t> num_flat = 0;
    parallel_for(settings_.threads, clusters.all.size(), 16,
                 [&](std::size_t begin, std::size_t end) {
                   ClusterInterpolant interpolant(settings_, fit);
                   for (std::size_t c = begin; c < end; ++c) {
                     if (!shares.points_of(c).empty()) {
                       interpolant.factor(chosen(cloud.points, clusters.all[c].members));
                       interpolant.weights(chosen(points, shares.points_of(c)), shares.parts_of(c),
                                           blocks.of(c));
                       num_flat += interpolant.is_flat() ? 1 : 0;
                     }
                   }
                 });
    note_fallbacks(cloud.points.size(), clusters.all.size(), num_flat, shares.num_outside);
    return join(clusters.all, shares, blocks, cloud.vertices);
  }

  void note_fallbacks(std::size_t num_vertices, std::size_t num_clusters, std::size_t num_flat,
                      std::size_t num_outside) const {
    std::string text;
    if (num_clusters == 1) {
      text += fmt::format("; its {} vertices are one cluster", num_vertices);
    }
    if (num_flat > 0) {
      text += fmt::format(
          "; the vertices of {} of {} clusters lie in a plane or on a line, so that the polynomial "
          "has no slope across",
          num_flat, num_clusters);
    }
    if (num_outside > 0) {
      text +=
          fmt::format("; {} points are in no cluster and belong to the nearest one", num_outside);
    }
    if (settings_.note && !text.empty()) {
      settings_.note(fmt::format("{}, from mesh \"{}\"{}", settings_.place, mesh_.name(), text));
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

std::unique_ptr<mapping::Mapping> make_partition_of_unity(const mesh::Mesh& mesh,
                                                          RadialBasisSettings settings,
                                                          const PartitionSettings& partition) {
  return std::make_unique<PartitionOfUnity>(mesh, std::move(settings), partition);
}

} // namespace isthmus::radial
