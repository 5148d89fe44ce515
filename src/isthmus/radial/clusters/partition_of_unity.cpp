// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/partition_of_unity.hpp"

#include "isthmus/base/log.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/cluster_interpolant.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"
#include "isthmus/radial/clusters/joined_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::radial {

namespace {

using geometry::Point;

// Functions that are not positive definite err more towards the edge of a cluster, whose members
// are to be the more.
constexpr double reach = 1.4;

/// The clusters are there and who serves whom; their systems are solved later.
class LateWeights final : public mapping::LateInterpolation {
 public:
  LateWeights(const mesh::Mesh& mesh, const RadialBasisSettings& settings, mapping::Cloud cloud,
              std::vector<Point> points)
      : mesh_(mesh.name()),
        settings_(settings),
        cloud_(std::move(cloud)),
        points_(std::move(points)) {}

  /// `whole`: of which the cloud is a part, or null.
  void choose_clusters(int dimensions, const PartitionSettings& partition,
                       const WholeCloud* whole) {
    ServingClusters found =
        make_clusters_for(points_, {dimensions, cloud_.points, cloud_.vertices}, partition,
                          settings_.function.positive_definite() ? 1.0 : reach, whole);
    clusters_ = std::move(found.clusters);
    shares_ = std::move(found.shares);
    constexpr double rounding = 1 + 1e-9;
    needed_ = whole != nullptr ? rounding * found.needed : 0.0;
  }

  double needed() const override { return needed_; }

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
    JoinedRows rows(clusters, shares_, cloud_.vertices);
    std::atomic<std::size_t> num_flat = 0;
    const int threads = settings_.threads > 0 ? settings_.threads : thread_count();
    // few for one thread, whose weights stay in the cache; else many, as threads are started anew
    const std::size_t together = threads == 1 ? 16 : 1024;
    std::vector<std::size_t> begins;
    std::vector<double> weights;
    for (std::size_t first = 0; first < clusters.size(); first += together) {
      const std::size_t end = std::min(first + together, clusters.size());
      begins.assign(1, 0);
      for (std::size_t c = first; c < end; ++c) {
        begins.push_back(begins.back() + rows.num_weights(c));
      }
      weights.resize(std::max(weights.size(), begins.back()));
      const auto weights_of = [&](std::size_t c) {
        return std::span(weights).subspan(begins[c - first], rows.num_weights(c));
      };
      parallel_for(threads, end - first, 16, [&](std::size_t begin, std::size_t behind) {
        num_flat += find_weights(fit, first + begin, first + behind, weights_of);
      });
      for (std::size_t c = first; c < end; ++c) {
        rows.add(c, weights_of(c));
      }
    }
    note_fallbacks(num_flat);
    return rows.take();
  }

 private:
  /// Of these clusters. Returns how many of them are flat.
  template <typename WeightsOf>
  std::size_t find_weights(LinearFit fit, std::size_t begin, std::size_t end,
                           const WeightsOf& weights_of) const {
    std::size_t num_flat = 0;
    ClusterInterpolant interpolant(settings_, fit);
    for (std::size_t c = begin; c < end; ++c) {
      if (!shares_.points_of(c).empty()) {
        interpolant.factor(chosen(cloud_.points, clusters_.all[c].members));
        interpolant.weights(chosen(points_, shares_.points_of(c)), shares_.parts_of(c),
                            weights_of(c));
        num_flat += interpolant.is_flat() ? 1 : 0;
      }
    }
    return num_flat;
  }

  void note_fallbacks(std::size_t num_flat) const {
    const std::size_t num_clusters = clusters_.all.size();
    std::string text;
    if (num_clusters == 1 && std::isinf(clusters_.all.front().radius)) {
      text += fmt::format("; its {} vertices are one cluster", cloud_.points.size());
    }
    if (num_flat > 0) {
      text += fmt::format(
          "; the vertices of {} of {} clusters lie in a plane or on a line, so that the polynomial "
          "has no slope across",
          num_flat, num_clusters);
    }
    if (!shares_.outside.empty()) {
      text += fmt::format("; {} points are in no cluster and belong to the nearest one",
                          shares_.outside.size());
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
  Clusters clusters_{};
  ClusterWeights shares_;
  double needed_ = 0;
};

class PartitionOfUnity final : public mapping::Mapping {
 public:
  PartitionOfUnity(const mesh::Mesh& mesh, RadialBasisSettings settings,
                   const PartitionSettings& partition, const std::optional<WholeCloud>& whole)
      : mesh_(mesh), settings_(std::move(settings)), partition_(partition), whole_(whole) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  mapping::Interpolation interpolate(std::span<const double> coordinates) const override {
    if (const auto found = make_clusters_of(coordinates)) {
      mapping::Interpolation rows = found->find();
      if (whole_) {
        rows.needed2.assign(rows.num_points(), found->needed() * found->needed());
      }
      return rows;
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
    auto weights =
        std::make_unique<LateWeights>(mesh_, settings_, std::move(cloud), std::move(points));
    weights->choose_clusters(mesh_.dimensions(), partition_, whole_ ? &*whole_ : nullptr);
    return weights;
  }

  const mesh::Mesh& mesh_;
  RadialBasisSettings settings_;
  PartitionSettings partition_;
  std::optional<WholeCloud> whole_;
};

} // namespace

std::unique_ptr<mapping::Mapping> make_partition_of_unity(const mesh::Mesh& mesh,
                                                          RadialBasisSettings settings,
                                                          const PartitionSettings& partition,
                                                          const std::optional<WholeCloud>& whole) {
  return std::make_unique<PartitionOfUnity>(mesh, std::move(settings), partition, whole);
}

} // namespace isthmus::radial
