// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Orders of the nodes of a mesh or the rows of a matrix, so that what is used together lies
/// together. An order lists nodes: order[k] is the node that becomes number k.
namespace isthmus::partition {

/// Neighbours of each node: those of node i are neighbours[offsets[i]…offsets[i+1]). Symmetric;
/// without or with the node itself.
struct Adjacency {
  std::span<const std::size_t> offsets; // nodes + 1
  std::span<const LocalIndex> neighbours;

  [[nodiscard]] std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  [[nodiscard]] std::span<const LocalIndex> of(LocalIndex node) const {
    const auto i = static_cast<std::size_t>(node);
    return neighbours.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Reverse Cuthill-McKee order, component after component: small bandwidth. Starts at
/// pseudo-peripheral nodes. George, Liu, doi 10.1145/355841.355845.
[[nodiscard]] std::vector<LocalIndex> reverse_cuthill_mckee(Adjacency graph);

/// The levels of reverse Cuthill-McKee, nodes of one level along the Hilbert curve. `coords` are
/// interleaved, `dim` 2 or 3.
[[nodiscard]] std::vector<LocalIndex> levels_along_hilbert(Adjacency graph, int dim,
                                                           std::span<const double> coords);

/// Points along the Hilbert curve of their bounding box; points in one place by index.
/// `geometry::curve_order` is the same for the Morton curve.
[[nodiscard]] std::vector<LocalIndex> hilbert_order(int dim, std::span<const double> coords);

/// The number of each node: numbers[order[k]] = k.
[[nodiscard]] std::vector<LocalIndex> inverse(std::span<const LocalIndex> order);

/// How far apart neighbours are in an order.
struct OrderReport {
  std::int64_t bandwidth = 0; // largest distance of two neighbours
  std::int64_t profile = 0;   // distances of all nodes to their first neighbour, if that is lower
  double mean_distance = 0;   // of two neighbours
};

[[nodiscard]] OrderReport report(Adjacency graph, std::span<const LocalIndex> order);

} // namespace isthmus::partition
