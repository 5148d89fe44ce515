// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/small_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::radial {

void SmallMatrix::resize(std::size_t size) {
  constexpr std::size_t block = 4; // of rows that the kernels take together
  size_ = size;
  rows_ = (size + block - 1) / block * block;
  stride_ = (size + lanes - 1) / lanes * lanes;
  entries_.resize(rows_ * (stride_ / lanes));
  inverse_pivots_.resize(rows_);
  order_.clear();
}

void SmallMatrix::fill_up() {
  for (std::size_t i = 0; i < rows_; ++i) {
    std::fill(row(i) + size_, row(i) + stride_, 0.0);
  }
  for (std::size_t i = size_; i < rows_; ++i) {
    std::fill(row(i), row(i) + stride_, 0.0);
    row(i)[i] = 1.0;
  }
}

bool SmallMatrix::factor_definite() {
  fill_up();
  return kernels_.factor_definite(rows());
}

bool SmallMatrix::factor_any() {
  fill_up();
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      row(i)[j] = row(j)[i];
    }
  }
  order_.resize(rows_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  return kernels_.factor_any(rows(), order_.data());
}

void SmallMatrix::solve(LaneRow* x) {
  if (order_.empty()) {
    kernels_.solve_definite(rows(), x->of);
    return;
  }
  right_.assign(x, x + rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    x[i] = right_[order_[i]];
  }
  kernels_.solve_any(rows(), x->of);
}

} // namespace isthmus::radial
