// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/settings.hpp"
#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The factor R of the columns v_0, v_1, … from their products G = VᵀV: R is the Cholesky factor of
/// G. In doubles that would lose half of the digits; with twice the digits in G and here R is as
/// good as that of an orthogonalization repeated until it is perfect, without touching a column.
class Factor {
 public:
  /// gram: n × n. Goes through the columns in order and leaves out what the filter deletes, and
  /// what is zero or dependent to rounding.
  void compute(std::span<const Twofold> gram, std::size_t n, FilterType filter, double limit);

  /// The columns that remain, ascending.
  [[nodiscard]] std::span<const std::size_t> kept() const { return kept_; }
  /// Part of column j along the i-th kept direction, kept()[i] <= j; of deleted columns too.
  [[nodiscard]] Twofold r(std::size_t i, std::size_t j) const { return lower_[j * n_ + i]; }
  /// Replaces the first kept().size() entries by the solution of G y = rhs of the kept columns.
  void solve(std::span<Twofold> rhs) const;

 private:
  double compute_row(std::span<const Twofold> gram, std::size_t column);

  std::size_t n_ = 0;
  std::vector<std::size_t> kept_;
  std::vector<Twofold> lower_; // Rᵀ, n_ × n_, a row per column
};

} // namespace isthmus::acceleration
