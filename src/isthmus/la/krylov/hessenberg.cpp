// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/hessenberg.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::la {

Hessenberg::Hessenberg(std::size_t most_columns)
    : most_(most_columns),
      triangle_(most_ * most_),
      column_(most_ + 2),
      cosine_(most_),
      sine_(most_),
      rhs_(most_ + 1) {}

void Hessenberg::start(double norm) {
  columns_ = 0;
  std::fill(rhs_.begin(), rhs_.end(), 0);
  rhs_[0] = norm;
}

double Hessenberg::take_column() {
  const std::size_t k = columns_++;
  for (std::size_t j = 0; j < k; ++j) {
    const double upper = column_[j];
    column_[j] = cosine_[j] * upper + sine_[j] * column_[j + 1];
    column_[j + 1] = cosine_[j] * column_[j + 1] - sine_[j] * upper;
  }
  const double length = std::hypot(column_[k], column_[k + 1]);
  cosine_[k] = length == 0 ? 1 : column_[k] / length;
  sine_[k] = length == 0 ? 0 : column_[k + 1] / length;
  column_[k] = length;
  rhs_[k + 1] = -sine_[k] * rhs_[k];
  rhs_[k] *= cosine_[k];
  std::copy_n(column_.begin(), columns_,
              triangle_.begin() + static_cast<std::ptrdiff_t>(k * most_));
  return std::abs(rhs_[k + 1]);
}

bool Hessenberg::is_singular() const {
  return columns_ > 0 && triangle_[(columns_ - 1) * (most_ + 1)] == 0;
}

std::span<const double> Hessenberg::solve() {
  const std::size_t n = is_singular() ? columns_ - 1 : columns_;
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t column = row + 1; column < n; ++column) {
      rhs_[row] -= triangle_[column * most_ + row] * rhs_[column];
    }
    rhs_[row] /= triangle_[row * (most_ + 1)];
  }
  return std::span(rhs_).first(n);
}

} // namespace isthmus::la
