// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// Tetrahedra of one rank and the nodes that they touch.
struct TetMesh {
  std::vector<GlobalIndex> node_ids; // ascending as generated
  std::vector<double> coords;        // three per node
  std::vector<std::array<LocalIndex, 4>> tets;
  std::vector<GlobalIndex> tet_ids;

  [[nodiscard]] std::size_t num_nodes() const { return node_ids.size(); }
};

/// A box of cells, each divided into tetrahedra that fit those of its neighbours.
struct TetBox {
  std::array<int, 3> cells;
  std::array<double, 3> lengths;
  int tets_per_cell = 5; ///< 5 (two kinds of cells in turn) or 6 (Kuhn)

  [[nodiscard]] GlobalIndex num_nodes() const;
};

/// How many blocks along each axis give `parts` blocks that touch each other least.
[[nodiscard]] std::array<int, 3> block_grid(const TetBox& box, int parts);

/// The block of cells of one of `parts` ranks, made without the others. Nodes are numbered along x,
/// then y, then z; a rank without cells has an empty mesh.
[[nodiscard]] TetMesh make_block(const TetBox& box, int parts, int part);

/// Neighbours of each node by edges, ascending, as offsets (nodes + 1) and nodes.
struct NodeGraph {
  std::vector<std::size_t> offsets;
  std::vector<LocalIndex> neighbours;

  /// Where neighbour `other` of `node` stands among the neighbours.
  [[nodiscard]] std::size_t place_of(LocalIndex node, LocalIndex other) const;
};

[[nodiscard]] NodeGraph node_graph(const TetMesh& mesh);

/// Node order[k] becomes number k; tetrahedra follow their lowest nodes.
[[nodiscard]] TetMesh reorder(const TetMesh& mesh, std::span<const LocalIndex> order);

/// Gradients of the four linear functions of a tetrahedron, and its volume.
struct LinearTet {
  std::array<std::array<double, 3>, 4> gradients;
  double volume;
};

[[nodiscard]] LinearTet linear_tet(const TetMesh& mesh, const std::array<LocalIndex, 4>& tet);

} // namespace isthmus::discrete
