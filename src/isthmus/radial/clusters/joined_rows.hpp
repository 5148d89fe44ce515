// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/radial/clusters/cluster_weights.hpp"
#include "isthmus/radial/clusters/clusters.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::radial {

/// The rows of points: each is joined of what its clusters give, with one entry per column. Where
/// the entries of clusters go is found first, so that what one gives can be added at once and
/// forgotten: all of it takes several times the memory of the rows.
class JoinedRows {
 public:
  /// Keeps clusters and shares. `vertices`: the columns of the points that are members of clusters.
  JoinedRows(std::span<const Cluster> clusters, const ClusterWeights& shares,
             std::span<const LocalIndex> vertices);

  /// How many weights a cluster gives: one for each member and point that it serves.
  [[nodiscard]] std::size_t num_weights(std::size_t cluster) const {
    return begins_[cluster + 1] - begins_[cluster];
  }
  /// Adds the weights of a cluster, a row of all members for each of its points. Clusters in their
  /// order give the same bits as always.
  void add(std::size_t cluster, std::span<const double> weights);
  /// Once, at the end.
  [[nodiscard]] mapping::Interpolation take() { return std::move(rows_); }

 private:
  template <typename Position>
  void find_positions(std::span<const LocalIndex> vertices, std::unique_ptr<Position[]>& positions);
  template <typename Position>
  void add(std::size_t cluster, const double* weights, const Position* positions);

  std::span<const Cluster> clusters_;
  const ClusterWeights& shares_;
  std::vector<std::size_t> begins_;      // of the weights of each cluster
  std::vector<std::size_t> row_begins_;  // by point
  std::unique_ptr<std::uint16_t[]> few_; // within its row, where each weight goes
  std::unique_ptr<LocalIndex[]> many_;   // in place of these, where rows may be longer
  mapping::Interpolation rows_;
};

} // namespace isthmus::radial
