// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace isthmus::partition {

/// Undirected weighted graph in compressed rows, or the rows of one rank: ranks hold consecutive
/// global vertices, in the order of the ranks. Each edge stands in the rows of both its ends.
struct Graph {
  std::vector<GlobalIndex> offsets{0};   // vertices + 1, into targets
  std::vector<GlobalIndex> targets;      // global vertex numbers
  std::vector<GlobalIndex> edge_weights; // as targets; empty: 1 each
  int constraints = 1;                   // weights of a vertex, each to be balanced
  std::vector<GlobalIndex> weights;      // vertices x constraints; empty: 1 each

  [[nodiscard]] std::size_t num_vertices() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const GlobalIndex> neighbours(std::size_t vertex) const {
    const auto begin = static_cast<std::size_t>(offsets[vertex]);
    const auto end = static_cast<std::size_t>(offsets[vertex + 1]);
    return std::span(targets).subspan(begin, end - begin);
  }
  [[nodiscard]] GlobalIndex weight(std::size_t vertex, int constraint = 0) const {
    return weights.empty() ? 1
                           : weights[vertex * static_cast<std::size_t>(constraints) +
                                     static_cast<std::size_t>(constraint)];
  }
  /// Of the entry `edge` of targets.
  [[nodiscard]] GlobalIndex edge_weight(std::size_t edge) const {
    return edge_weights.empty() ? 1 : edge_weights[edge];
  }
};

/// The part of each own vertex, 0 … parts - 1.
using Parts = std::vector<int>;

/// One edge, for building graphs.
struct Edge {
  GlobalIndex a;
  GlobalIndex b;
  GlobalIndex weight = 1;
};

/// A whole graph (of a serial caller) from edges between `vertices`; edges that occur several times
/// become one with the sum of their weights.
[[nodiscard]] Graph make_graph(std::size_t vertices, std::span<const Edge> edges);

/// First global vertex of every rank, and their number at the end: 8 bytes per rank.
[[nodiscard]] std::vector<GlobalIndex> vertex_ranges(const comm::Comm& comm, const Graph& graph);

/// Collective. Throws on all ranks unless sizes fit together, weights are not negative, targets
/// exist, no edge is a loop, and every edge stands in both rows with the same weight.
void check_graph(const comm::Comm& comm, const Graph& graph);

/// Collective. All rows on rank 0; an empty graph elsewhere.
[[nodiscard]] Graph gather_graph(const comm::Comm& comm, const Graph& graph);

/// Collective. From rank 0, which has one value for each vertex of all ranks, the `count` own ones.
[[nodiscard]] Parts scatter_parts(const comm::Comm& comm, std::span<const int> all,
                                  std::size_t count);

} // namespace isthmus::partition
