// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Small dense systems on one rank. Matrices are spans of columns, one after the other.
namespace isthmus::la {

/// The Moore-Penrose inverse of a matrix, where what is left of a column is taken for none if it is
/// less than `threshold` of the longest one.
struct PseudoInverse {
  std::vector<double> inverse; // columns * rows
  std::size_t rank = 0;
};
[[nodiscard]] PseudoInverse pseudo_inverse(std::span<const double> a, std::size_t rows,
                                           std::size_t columns, double threshold);

/// Of a symmetric matrix, of which the lower part counts.
struct Modes {
  std::vector<double> values;  // ascending
  std::vector<double> vectors; // n * n, orthonormal columns
};
[[nodiscard]] Modes symmetric_modes(std::span<const double> a, std::size_t n);

/// The eigenvalues at both ends of a symmetric tridiagonal matrix with `beside` next to its
/// diagonal.
struct Extremes {
  double smallest, largest;
};
[[nodiscard]] Extremes eigenvalue_extremes(std::span<const double> diagonal,
                                           std::span<const double> beside);

/// Systems with one symmetric positive semidefinite matrix; where it is singular, solutions are
/// those of least norm for the part of the right-hand side in its range.
class SymmetricSolver {
 public:
  SymmetricSolver() = default;
  /// Throws Error unless `a` has n * n entries.
  SymmetricSolver(std::span<const double> a, std::size_t n);
  void solve(std::span<double> b) const;
  [[nodiscard]] bool is_singular() const { return singular_; }

 private:
  std::size_t n_ = 0;
  bool singular_ = false;
  std::vector<double> factor_; // lower factor of Cholesky, or the pseudo-inverse where singular
};

} // namespace isthmus::la
