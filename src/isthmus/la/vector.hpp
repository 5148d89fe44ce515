// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

/// Loops over the own parts of distributed vectors. Sums have a fixed order.
namespace isthmus::la {

/// Entries that are updated and then summed while they are in the cache.
inline constexpr std::size_t block_length = 1024;

/// Calls work(first, last) for all of 0…n in blocks.
template <typename Work>
void in_blocks(std::size_t n, Work&& work) {
  for (std::size_t first = 0; first < n; first += block_length) {
    work(first, std::min(n, first + block_length));
  }
}

namespace impl {
template <typename Term>
double sum_of(std::size_t first, std::size_t last, Term&& term) {
  std::array<double, 4> sums{};
  std::size_t i = first;
  for (; i + 4 <= last; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      sums[lane] += term(i + lane);
    }
  }
  for (; i < last; ++i) {
    sums[0] += term(i);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
} // namespace impl

/// Of the entries first…last-1.
[[nodiscard]] inline double local_dot(std::span<const double> x, std::span<const double> y,
                                      std::size_t first, std::size_t last) {
  return impl::sum_of(first, last, [x, y](std::size_t i) { return x[i] * y[i]; });
}

[[nodiscard]] inline double local_dot(std::span<const double> x, std::span<const double> y) {
  return local_dot(x, y, 0, x.size());
}

/// Of the absolute values.
[[nodiscard]] inline double local_sum_abs(std::span<const double> x, std::size_t first,
                                          std::size_t last) {
  return impl::sum_of(first, last, [x](std::size_t i) { return std::abs(x[i]); });
}

[[nodiscard]] inline double local_sum(std::span<const double> x) {
  return impl::sum_of(0, x.size(), [x](std::size_t i) { return x[i]; });
}

} // namespace isthmus::la
