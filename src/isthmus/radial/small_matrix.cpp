// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/small_matrix.hpp"

#include "isthmus/radial/multiversion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace isthmus::radial {

namespace {

constexpr std::size_t block = 4; // rows that are eliminated, and unknowns that are found, together

/// a -= factor * b, from the vector with column `first` on.
inline void subtract(double* a, double factor, double* b, std::size_t first, std::size_t stride) {
  for (std::size_t j = first / lanes * lanes; j < stride; j += lanes) {
    part(a + j, 0) -= factor * part(b + j, 0);
  }
}

/// Eliminates the rows k to k + block - 1 from the next two rows, i and i + 1.
inline void eliminate(double* entries, std::size_t stride, std::size_t k, std::size_t i) {
  double* a = entries + i * stride;
  double* b = a + stride;
  double* u[block];
  for (std::size_t s = 0; s < block; ++s) {
    u[s] = entries + (k + s) * stride;
  }
  for (std::size_t j = i / lanes * lanes; j < stride; j += lanes) {
    Lanes in_a = part(a + j, 0);
    Lanes in_b = part(b + j, 0);
    for (std::size_t s = 0; s < block; ++s) {
      const Lanes pivots = part(u[s] + j, 0);
      in_a -= u[s][i] * pivots;
      in_b -= u[s][i + 1] * pivots;
    }
    part(a + j, 0) = in_a;
    part(b + j, 0) = in_b;
  }
}

ISTHMUS_MULTIVERSION bool factor_upper(double* entries, std::size_t rows, std::size_t stride,
                                       double* inverse_diagonal) {
  for (std::size_t k = 0; k < rows; k += block) {
    for (std::size_t r = k; r < k + block; ++r) {
      double* row = entries + r * stride;
      for (std::size_t s = k; s < r; ++s) {
        subtract(row, entries[s * stride + r], entries + s * stride, r, stride);
      }
      if (!(row[r] > 0)) {
        return false;
      }
      inverse_diagonal[r] = 1.0 / std::sqrt(row[r]);
      for (std::size_t j = r / lanes * lanes; j < stride; j += lanes) {
        part(row + j, 0) *= inverse_diagonal[r];
      }
    }
    for (std::size_t i = k + block; i < rows; i += 2) {
      eliminate(entries, stride, k, i);
    }
  }
  return true;
}

/// Makes L, below its diagonal of ones, and U of as many columns as there are lanes, from row
/// `begin` on, where the pivot of each column is its largest entry.
inline bool factor_columns(double* entries, std::size_t rows, std::size_t stride, std::size_t begin,
                           double* inverse_diagonal, std::size_t* order) {
  std::size_t pivot = begin;
  for (std::size_t i = begin + 1; i < rows; ++i) {
    pivot = std::abs(entries[i * stride + begin]) > std::abs(entries[pivot * stride + begin])
                ? i
                : pivot;
  }
  for (std::size_t k = begin; k < std::min(begin + lanes, rows); ++k) {
    if (pivot != k) {
      std::swap_ranges(entries + k * stride, entries + (k + 1) * stride, entries + pivot * stride);
      std::swap(order[k], order[pivot]);
    }
    inverse_diagonal[k] = 1.0 / entries[k * stride + k];
    if (!std::isfinite(inverse_diagonal[k])) {
      return false;
    }
    Lanes pivots = part(entries + k * stride + begin, 0);
    for (std::size_t c = 0; c <= k - begin; ++c) {
      pivots[c] = 0;
    }
    pivot = k + 1;
    double largest = -1;
    const std::size_t next =
        std::min(k + 1, begin + lanes - 1); // in which the next pivot is sought
    for (std::size_t i = k + 1; i < rows; ++i) {
      double* row = entries + i * stride;
      const double factor = row[k] * inverse_diagonal[k];
      part(row + begin, 0) -= factor * pivots;
      row[k] = factor;
      const double size = std::abs(row[next]);
      pivot = size > largest ? i : pivot;
      largest = std::max(size, largest);
    }
  }
  return true;
}

/// Eliminates `count` rows from k on from row i, in the columns behind those of factor_columns().
inline void eliminate_above(double* entries, std::size_t stride, std::size_t k, std::size_t i,
                            std::size_t count) {
  double* row = entries + i * stride;
  Lanes factors[lanes];
  for (std::size_t s = 0; s < count; ++s) {
    factors[s] = row[k + s] + Lanes{};
  }
  for (std::size_t j = k + lanes; j < stride; j += lanes) {
    Lanes rest = part(row + j, 0);
    for (std::size_t s = 0; s < count; ++s) {
      rest -= factors[s] * part(entries + (k + s) * stride + j, 0);
    }
    part(row + j, 0) = rest;
  }
}

ISTHMUS_MULTIVERSION bool factor_pivoted(double* entries, std::size_t rows, std::size_t stride,
                                         double* inverse_diagonal, std::size_t* order) {
  for (std::size_t k = 0; k < rows; k += lanes) {
    if (!factor_columns(entries, rows, stride, k, inverse_diagonal, order)) {
      return false;
    }
    for (std::size_t i = k + 1; i < rows; ++i) {
      if (i >= k + lanes) {
        eliminate_above(entries, stride, k, i, lanes); // unrolled
      } else {
        eliminate_above(entries, stride, k, i, i - k);
      }
    }
  }
  return true;
}

/// x_i -= sum of factors(i, j) x_j over j < i.
ISTHMUS_MULTIVERSION void solve_lower(const double* factors, std::size_t rows, std::size_t stride,
                                      double* x) {
  for (std::size_t i = 0; i < rows; i += block) {
    const double* f = factors + i * stride;
    Lanes sum[block] = {part(x, i), part(x, i + 1), part(x, i + 2), part(x, i + 3)};
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t r = 0; r < block; ++r) {
        sum[r] -= f[r * stride + j] * part(x, j);
      }
    }
    for (std::size_t r = 0; r < block; ++r) {
      part(x, i + r) = sum[r];
      for (std::size_t s = r + 1; s < block; ++s) {
        sum[s] -= f[s * stride + i + r] * sum[r];
      }
    }
  }
}

/// x_i = scale_i (x_i - sum of factors(j, i) x_j over j < i).
ISTHMUS_MULTIVERSION void solve_forward(const double* factors, std::size_t rows, std::size_t stride,
                                        const double* scale, double* x) {
  for (std::size_t i = 0; i < rows; i += block) {
    Lanes sum[block] = {part(x, i), part(x, i + 1), part(x, i + 2), part(x, i + 3)};
    Lanes odd[block] = {}; // half of the sum, so that fewer additions wait for others
    for (std::size_t j = 0; j < i; j += 2) {
      const double* f = factors + j * stride + i;
      for (std::size_t r = 0; r < block; ++r) {
        sum[r] -= f[r] * part(x, j);
        odd[r] -= f[r + stride] * part(x, j + 1);
      }
    }
    for (std::size_t r = 0; r < block; ++r) {
      sum[r] += odd[r];
    }
    for (std::size_t r = 0; r < block; ++r) {
      sum[r] *= scale[i + r];
      part(x, i + r) = sum[r];
      for (std::size_t s = r + 1; s < block; ++s) {
        sum[s] -= factors[(i + r) * stride + i + s] * sum[r];
      }
    }
  }
}

/// x_i = scale_i (x_i - sum of factors(i, j) x_j over j > i).
ISTHMUS_MULTIVERSION void solve_backward(const double* factors, std::size_t rows,
                                         std::size_t stride, const double* scale, double* x) {
  for (std::size_t i = rows; i > 0;) {
    i -= block;
    const double* f = factors + i * stride;
    Lanes sum[block] = {part(x, i), part(x, i + 1), part(x, i + 2), part(x, i + 3)};
    Lanes odd[block] = {};
    for (std::size_t j = i + block; j < rows; j += 2) {
      for (std::size_t r = 0; r < block; ++r) {
        sum[r] -= f[r * stride + j] * part(x, j);
        odd[r] -= f[r * stride + j + 1] * part(x, j + 1);
      }
    }
    for (std::size_t r = 0; r < block; ++r) {
      sum[r] += odd[r];
    }
    for (std::size_t r = block; r-- > 0;) {
      sum[r] *= scale[i + r];
      part(x, i + r) = sum[r];
      for (std::size_t s = 0; s < r; ++s) {
        sum[s] -= f[s * stride + i + r] * sum[r];
      }
    }
  }
}

} // namespace

void SmallMatrix::resize(std::size_t size) {
  size_ = size;
  rows_ = (size + block - 1) / block * block;
  stride_ = (size + lanes - 1) / lanes * lanes;
  entries_.resize(rows_ * stride_);
  inverse_diagonal_.resize(rows_);
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
  return factor_upper(entries_.data(), rows_, stride_, inverse_diagonal_.data());
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
  return factor_pivoted(entries_.data(), rows_, stride_, inverse_diagonal_.data(), order_.data());
}

void SmallMatrix::solve(double* x) {
  if (order_.empty()) {
    solve_forward(entries_.data(), rows_, stride_, inverse_diagonal_.data(), x);
  } else {
    right_.assign(x, x + rows_ * lanes);
    for (std::size_t i = 0; i < rows_; ++i) {
      part(x, i) = part(right_.data(), order_[i]);
    }
    solve_lower(entries_.data(), rows_, stride_, x);
  }
  solve_backward(entries_.data(), rows_, stride_, inverse_diagonal_.data(), x);
}

} // namespace isthmus::radial
