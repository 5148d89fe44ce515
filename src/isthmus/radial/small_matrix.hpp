// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace isthmus::radial {

/// Eight numbers that the processor handles together, at any address.
using Lanes = double __attribute__((vector_size(64), aligned(8), may_alias));
constexpr std::size_t lanes = sizeof(Lanes) / sizeof(double);

/// Row `i` of rows of so many numbers.
[[nodiscard]] inline Lanes& part(double* rows, std::size_t i) {
  return *reinterpret_cast<Lanes*>(rows + i * lanes);
}

/// A dense symmetric matrix of some tens to hundreds of rows and its factors, made to be used again
/// for the next one. Zeros and ones fill it up to blocks.
class SmallMatrix {
 public:
  /// Forgets what there was; the caller writes the rows, from the diagonal on or from before it.
  void resize(std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t num_rows() const { return rows_; } // with those that fill up
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] double* row(std::size_t i) { return entries_.data() + i * stride_; }

  /// Makes U^T U of the matrix, of which the upper part counts; false if it is not positive
  /// definite to working accuracy.
  [[nodiscard]] bool factor_definite();
  /// Makes P L U of the matrix, of which the upper part counts; false if it is singular.
  [[nodiscard]] bool factor_any();

  /// Replaces as many right sides as there are lanes, in num_rows() rows, by solutions.
  void solve(double* x);

 private:
  void fill_up();

  std::size_t size_ = 0;
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> entries_;
  std::vector<double> inverse_diagonal_; // of U
  std::vector<std::size_t> order_;       // of the rows; empty if definite
  std::vector<double> right_;            // in that order
};

} // namespace isthmus::radial
