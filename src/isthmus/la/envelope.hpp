// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::la {

/// Small sparse systems on one rank: symmetric positive definite matrices, of which each row is
/// kept from its first entry to the diagonal. The factor of Cholesky fills nothing else, so that
/// the work is the sum of the squares of the lengths of the rows (George, Liu, "Computer Solution
/// of Large Sparse Positive Definite Systems", 1981, chapter 4): few where the order of the
/// unknowns has a small profile, as that of partition::reverse_cuthill_mckee. The order is the
/// caller's.
class EnvelopeSolver {
 public:
  EnvelopeSolver() = default;
  /// A matrix of zeros; first[i] is the column of the first entry of row i. Throws Error unless
  /// 0 <= first[i] <= i.
  explicit EnvelopeSolver(std::vector<LocalIndex> first);

  [[nodiscard]] std::size_t size() const { return first_.size(); }
  /// How many entries are kept.
  [[nodiscard]] std::size_t num_entries() const { return values_.size(); }
  /// An entry of the lower triangle, first[row] <= column <= row, before factorize().
  [[nodiscard]] double& at(LocalIndex row, LocalIndex column) {
    return values_[place(row, column)];
  }
  /// Puts the factor in place of the matrix. False if the matrix is not positive definite, or so
  /// near to a singular one that rounding decides; it cannot be used then.
  [[nodiscard]] bool factorize();
  /// After factorize(). Throws Error unless b has an entry for each row.
  void solve(std::span<double> b) const;

 private:
  [[nodiscard]] std::size_t place(LocalIndex row, LocalIndex column) const {
    const auto i = static_cast<std::size_t>(row);
    return ends_[i + 1] - 1 - static_cast<std::size_t>(row - column);
  }
  /// The entries of a row of the factor in these columns, which it keeps.
  [[nodiscard]] std::span<const double> part(LocalIndex row, LocalIndex from, LocalIndex to) const {
    return std::span(values_).subspan(place(row, from), static_cast<std::size_t>(to - from));
  }

  std::vector<LocalIndex> first_;
  std::vector<std::size_t> ends_{0}; // of the rows before each, and of all
  std::vector<double> values_;       // row after row, the diagonal last
};

} // namespace isthmus::la
