// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/factor.hpp"

#include "isthmus/acceleration/dots.hpp"

#include <cmath>
#include <limits>

namespace isthmus::acceleration {

namespace {

/// Less than this of a column is noise: its entries are rounded differences.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

} // namespace

/// What the kept columns leave of one more; returns the norm of that.
double Factor::compute_row(std::span<const Twofold> gram, std::size_t column) {
  const std::size_t m = kept_.size();
  Twofold* const mine = &lower_[column * n_];
  for (std::size_t i = 0; i < m; ++i) {
    const Twofold* const other = &lower_[kept_[i] * n_];
    mine[i] = minus_products(gram[column * n_ + kept_[i]], {mine, i}, other) / other[i];
  }
  const Twofold square = minus_products(gram[column * n_ + column], {mine, m}, mine);
  mine[m] = square.value > 0 ? sqrt(square) : Twofold{};
  return mine[m].value;
}

void Factor::compute(std::span<const Twofold> gram, std::size_t n, FilterType filter,
                     double limit) {
  n_ = n;
  kept_.clear();
  lower_.resize(n * n);
  double square = 0; // |R|² of what is not deleted yet
  for (std::size_t j = 0; j < n; ++j) {
    square += gram[j * n + j].value;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double own = gram[j * n + j].value;
    const double norm = std::sqrt(own);
    const double diagonal = compute_row(gram, j);
    const double scale = filter == FilterType::qr1            ? std::sqrt(square)
                         : filter == FilterType::qr1_absolute ? (n > 1 ? 1 : 0)
                                                              : norm;
    if (diagonal > rounding * norm && diagonal >= limit * scale) {
      kept_.push_back(j);
    } else {
      square -= own;
    }
  }
}

void Factor::solve(std::span<Twofold> rhs) const {
  const std::size_t m = kept_.size();
  for (std::size_t i = 0; i < m; ++i) { // Rᵀ z = rhs
    const Twofold* const row = &lower_[kept_[i] * n_];
    rhs[i] = minus_products(rhs[i], {row, i}, rhs.data()) / row[i];
  }
  for (std::size_t i = m; i-- > 0;) { // R y = z
    for (std::size_t k = i + 1; k < m; ++k) {
      rhs[i] -= r(i, kept_[k]) * rhs[k];
    }
    rhs[i] = rhs[i] / r(i, kept_[i]);
  }
}

} // namespace isthmus::acceleration
