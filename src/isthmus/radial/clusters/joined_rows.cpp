// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/joined_rows.hpp"

#include "isthmus/radial/clusters/large_pages.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::radial {

namespace {

/// Finds a column of a cluster in the row of so many entries, or puts it behind them, each as often
/// as there are members; notes their positions. Returns the new size. `known`: where columns may be
/// in this row.
template <typename Position>
LocalIndex place_members(std::span<const LocalIndex> members, LocalIndex size, LocalIndex* known,
                         LocalIndex* row, Position* positions) {
  LocalIndex end = size;
  for (std::size_t k = 0; k < members.size(); ++k) { // without branches, which would be guesses
    const LocalIndex column = members[k];
    const bool may = known[column] < size;
    const LocalIndex at = may ? known[column] : 0;
    const bool has = static_cast<int>(may) * static_cast<int>(row[at] == column) != 0;
    const LocalIndex to = has ? at : end;
    row[to] = column;
    known[column] = to;
    positions[k] = static_cast<Position>(to);
    end += static_cast<LocalIndex>(!has);
  }
  return end;
}

} // namespace

JoinedRows::JoinedRows(std::span<const Cluster> clusters, const ClusterWeights& shares,
                       std::span<const LocalIndex> vertices)
    : clusters_(clusters), shares_(shares) {
  begins_.reserve(clusters.size() + 1);
  begins_.push_back(0);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    begins_.push_back(begins_.back() + shares.points_of(c).size() * clusters[c].members.size());
  }
  std::size_t longest = 0; // row, if no column were twice in it
  for (std::size_t i = 0; i + 1 < shares.begins_of_points.size(); ++i) {
    std::size_t size = 0;
    for (std::size_t k = shares.begins_of_points[i]; k < shares.begins_of_points[i + 1]; ++k) {
      size += clusters[static_cast<std::size_t>(shares.clusters[k])].members.size();
    }
    longest = std::max(longest, size);
  }
  if (longest <= std::numeric_limits<std::uint16_t>::max()) {
    find_positions(vertices, few_);
  } else {
    find_positions(vertices, many_);
  }
}

template <typename Position>
void JoinedRows::find_positions(std::span<const LocalIndex> vertices,
                                std::unique_ptr<Position[]>& positions) {
  positions = std::make_unique_for_overwrite<Position[]>(begins_.back());
  use_large_pages(positions.get(), begins_.back() * sizeof(Position));
  const std::size_t num_points = shares_.begins_of_points.size() - 1;
  rows_.distances2.assign(num_points, 0.0);
  rows_.counts.reserve(num_points);
  rows_.columns.reserve(begins_.back());
  use_large_pages(rows_.columns.data(), begins_.back() * sizeof(LocalIndex));
  row_begins_.reserve(num_points);
  std::vector<LocalIndex> known(vertices.size(), 0);
  for (std::size_t i = 0; i < num_points; ++i) {
    const std::size_t begin = rows_.columns.size();
    LocalIndex size = 0;
    for (std::size_t k = shares_.begins_of_points[i]; k < shares_.begins_of_points[i + 1]; ++k) {
      const auto c = static_cast<std::size_t>(shares_.clusters[k]);
      const std::span<const LocalIndex> members = clusters_[c].members;
      rows_.columns.resize(begin + static_cast<std::size_t>(size) + members.size());
      size = place_members(members, size, known.data(), rows_.columns.data() + begin,
                           positions.get() + begins_[c] +
                               (shares_.of_points[k] - shares_.begins[c]) * members.size());
    }
    rows_.columns.resize(begin + static_cast<std::size_t>(size));
    for (std::size_t k = begin; k < rows_.columns.size(); ++k) {
      rows_.columns[k] = vertices[static_cast<std::size_t>(rows_.columns[k])];
    }
    row_begins_.push_back(begin);
    rows_.counts.push_back(size);
  }
  rows_.weights.reserve(rows_.columns.size());
  use_large_pages(rows_.weights.data(), rows_.columns.size() * sizeof(double));
  rows_.weights.resize(rows_.columns.size(), 0.0);
}

void JoinedRows::add(std::size_t cluster, std::span<const double> weights) {
  if (few_ != nullptr) {
    add(cluster, weights.data(), few_.get() + begins_[cluster]);
  } else {
    add(cluster, weights.data(), many_.get() + begins_[cluster]);
  }
}

template <typename Position>
void JoinedRows::add(std::size_t cluster, const double* weights, const Position* positions) {
  const std::size_t count = clusters_[cluster].members.size();
  for (const LocalIndex point : shares_.points_of(cluster)) {
    double* const row = rows_.weights.data() + row_begins_[static_cast<std::size_t>(point)];
    for (std::size_t k = 0; k < count; ++k) {
      row[positions[k]] += weights[k];
    }
    weights += count;
    positions += count;
  }
}

} // namespace isthmus::radial
