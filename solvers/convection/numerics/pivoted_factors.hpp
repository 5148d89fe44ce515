// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Factors of a small dense matrix, by Gauss with pivots of rows. A column without a pivot belongs
/// to an unknown that nothing decides (the level of the pressure) or that is fixed: it is zero in
/// solutions.
class PivotedFactors {
 public:
  /// Local. Of a square matrix with `rows` rows, one after the other. Pivots below `nothing` times
  /// the largest entry are none.
  void factor(std::vector<double> matrix, std::size_t rows, double nothing);
  /// Local. x = b in, the solution out.
  void solve(std::span<double> x) const;

 private:
  std::vector<double> triangles_; // row by row; reciprocals on the diagonal
  std::vector<std::size_t> pivots_;
};

} // namespace isthmus::convection
