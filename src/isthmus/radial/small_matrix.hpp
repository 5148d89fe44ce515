// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/kernels.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::radial {

/// A dense symmetric matrix of some tens to hundreds of rows and its factors, made to be used again
/// for the next one. Zeros and ones fill it up to blocks.
class SmallMatrix {
 public:
  explicit SmallMatrix(const Kernels& with = kernels()) : kernels_(with) {}

  /// Forgets what there was; the caller writes the rows, from the diagonal on or from before it.
  void resize(std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t num_rows() const { return rows_; } // with those that fill up
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] double* row(std::size_t i) { return entries_.data()->of + i * stride_; }

  /// Makes U^T D U of the matrix, of which the upper part counts; false if it is not positive
  /// definite to working accuracy.
  [[nodiscard]] bool factor_definite();
  /// Makes P L U of the matrix, of which the upper part counts; false if it is singular.
  [[nodiscard]] bool factor_any();

  /// Replaces as many right sides as there are lanes, in num_rows() rows, by solutions.
  void solve(LaneRow* x);

 private:
  void fill_up();
  [[nodiscard]] SmallRows rows() { return {row(0), rows_, stride_, inverse_pivots_.data()}; }

  const Kernels& kernels_;
  std::size_t size_ = 0;
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;
  std::vector<LaneRow> entries_;
  std::vector<double> inverse_pivots_;
  std::vector<std::size_t> order_; // of the rows; empty if definite
  std::vector<LaneRow> right_;     // in that order
};

} // namespace isthmus::radial
