// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::la {

/// The small least-squares problem of GMRES: columns of an upper Hessenberg matrix, made triangular
/// by rotations as they come. The same on all ranks.
class Hessenberg {
 public:
  explicit Hessenberg(std::size_t most_columns);

  /// Forgets the columns; the residual has this norm.
  void start(double norm);
  /// What the next column is written into: as many entries as there are columns, and two.
  [[nodiscard]] std::span<double> column() { return std::span(column_).first(columns_ + 2); }
  /// Takes the column. Returns the norm of the residual that is left.
  double take_column();

  [[nodiscard]] std::size_t num_columns() const { return columns_; }
  /// Whether the last column depends on those before it: solve() leaves it out.
  [[nodiscard]] bool is_singular() const;
  /// The combination of columns that leaves this residual.
  [[nodiscard]] std::span<const double> solve();

 private:
  std::size_t most_;
  std::size_t columns_ = 0;
  std::vector<double> triangle_; // column by column
  std::vector<double> column_, cosine_, sine_, rhs_;
};

} // namespace isthmus::la
