// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::radial {

/// Eigen counts with signs.
[[nodiscard]] inline std::ptrdiff_t index(std::size_t i) {
  return static_cast<std::ptrdiff_t>(i);
}

/// How the equations of a dense system are ordered: blocks of at most `width` equations, of the
/// ranks in turn. No rank has more than its own columns.
class BlockOrder {
 public:
  static constexpr std::size_t width = 64;
  struct Block {
    std::size_t first; // equation
    std::size_t size;
    int rank;
    std::size_t column; // of the rank
  };

  /// Collective. For `count` equations of this rank.
  BlockOrder(const comm::Comm& comm, std::size_t count);

  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t num_columns(int rank) const {
    return counts_[static_cast<std::size_t>(rank)];
  }
  /// Equations of a rank, by column.
  [[nodiscard]] std::vector<std::size_t> equations(int rank) const;

 private:
  std::vector<std::size_t> counts_; // by rank
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

/// Factors of a symmetric matrix whose columns are dealt to ranks in blocks: Cholesky's, or L and U
/// with pivots of each column. Each block of columns is factored by its rank, broadcast, and
/// subtracted from those behind it everywhere. For n equations on p ranks each has n^2/p entries
/// and, for the time of the factorization, one block. After van de Geijn, Watts, doi
/// 10.1002/(SICI)1096-9128(199704)9:4<255::AID-CPE250>3.0.CO;2-2.
class DenseFactors {
 public:
  /// Collective. `columns`: those of this rank, each with all equations, one after the other.
  /// is_regular() says whether there are factors.
  DenseFactors(const comm::Comm& comm, BlockOrder order, bool definite,
               std::vector<double> columns);
  DenseFactors(DenseFactors&&) noexcept;
  ~DenseFactors();

  /// The same on all ranks.
  [[nodiscard]] bool is_regular() const { return regular_; }
  /// Collective. Replaces `count` right-hand sides of all equations, the same on all ranks, by the
  /// solutions.
  void solve(std::size_t count, std::span<double> right) const;

 private:
  struct Columns;

  void factor();
  /// What the factors of a block subtract from own columns behind it.
  void subtract(const BlockOrder::Block& block, std::span<const double> panel,
                std::span<const std::size_t> pivots);
  void forward(std::size_t count, std::span<double> right) const;
  void backward(std::size_t count, std::span<double> right) const;
  void backward_transposed(std::size_t count, std::span<double> right) const;

  const comm::Comm* comm_;
  BlockOrder order_;
  bool definite_;
  bool regular_ = true;
  std::unique_ptr<Columns> columns_;
  std::vector<std::size_t> pivots_; // the equation that each one was exchanged with, in turn
};

} // namespace isthmus::radial
