// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/edges.hpp"
#include "convection/numerics/timed_sum.hpp"
#include "isthmus/la/operator.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Blocks of one element: of each pair of corners, row by row.
template <std::size_t width>
using ElementMatrix = std::array<std::array<std::array<double, width * width>, 4>, 4>;

/// A matrix of finite elements as one block for each end of each edge and one for each node, which
/// is assembled once and applied many times (Coutinho et al. 2006, doi 10.1002/nme.1557). Unknowns
/// are `width` per node.
///
/// Vectors have values on all nodes that a rank touches, the same on all that share a node, divided
/// by the square root of the number of its sharers: so sums over the ranks of dot products count
/// each node once, and one interface sum is all that a product needs. scale() and unscale() lead
/// there and back.
template <std::size_t width>
class EdgeMatrix final : public la::Operator {
 public:
  static constexpr std::size_t block = width * width;

  /// Collective. `comm`, `mesh` and `edges` must outlive this.
  EdgeMatrix(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way);

  /// Zero.
  void clear();
  void add(const Element& element, const ElementMatrix<width>& matrix);
  /// Unknowns with a mark keep their values: their rows are those of the identity.
  void set_fixed(std::vector<char> is_fixed) { is_fixed_ = std::move(is_fixed); }

  [[nodiscard]] const comm::Comm& comm() const override { return comm_; }
  [[nodiscard]] LocalIndex num_rows() const override {
    return static_cast<LocalIndex>(width * weights_.size());
  }
  /// Collective. y = A x, of scaled vectors that are zero where unknowns are fixed.
  void apply(std::span<const double> x, std::span<double> y, la::Overlap overlap = {}) override;

  /// Collective. Replaces partial sums by sums.
  void sum(std::span<double> values) { sum_(values); }
  void scale(std::span<double> values) const;
  void unscale(std::span<double> values) const;
  /// Of scaled vectors, over all ranks. Collective.
  [[nodiscard]] double norm(std::span<const double> scaled) const;

  /// Collective. Blocks of all nodes, summed, with the identity where unknowns are fixed.
  [[nodiscard]] std::vector<double> diagonal();
  /// What preconditioners are made of: of an edge the block in row i, then that in row j, and of a
  /// node its block, of this rank's elements.
  [[nodiscard]] std::span<const double> pair(std::size_t edge) const {
    return std::span(pairs_).subspan(2 * block * edge, 2 * block);
  }
  [[nodiscard]] std::span<const double> own_block(std::size_t node) const {
    return std::span(diagonal_).subspan(block * node, block);
  }
  [[nodiscard]] std::span<const char> is_fixed() const { return is_fixed_; }
  [[nodiscard]] const Edges& edges() const { return edges_; }
  [[nodiscard]] std::size_t num_interior_edges() const {
    return edges_.ends.size() - edges_.num_interface;
  }

 private:
  void add_edges(std::size_t first, std::size_t last, std::span<const double> x,
                 std::span<double> y) const;

  const comm::Comm& comm_;
  const Edges& edges_;
  std::vector<double> weights_;  // of nodes: one over the root of the number of sharers
  std::vector<double> pairs_;    // of each edge: the block in row i, then that in row j
  std::vector<double> diagonal_; // of this rank's elements
  std::vector<double> unscaled_;
  std::vector<char> is_fixed_;
  TimedSum sum_;
  TimedSum block_sum_;
};

/// z = r times the inverse of the block of each node; the inverse of its diagonal if width is 1.
template <std::size_t width>
class NodalBlocks final : public la::Preconditioner {
 public:
  /// Throws Error if a block is singular.
  explicit NodalBlocks(std::span<const double> blocks);
  void apply(std::span<const double> r, std::span<double> z, la::Overlap overlap = {}) override;

 private:
  std::vector<double> inverse_;
};

extern template class EdgeMatrix<1>;
extern template class EdgeMatrix<4>;
extern template class NodalBlocks<1>;
extern template class NodalBlocks<4>;

} // namespace isthmus::convection
