// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace walks {

using Values = std::vector<double>;

[[nodiscard]] inline double dot(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

[[nodiscard]] inline double norm(const Values& values) {
  return std::sqrt(dot(values, values));
}

inline void add(Values& to, double factor, const Values& what) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += factor * what[i];
  }
}

[[nodiscard]] inline Values difference(Values a, const Values& b) {
  add(a, -1, b);
  return a;
}

/// The norm of each piece.
[[nodiscard]] inline Values norms_of(const Values& all, const std::vector<std::size_t>& sizes) {
  Values norms;
  auto at = all.begin();
  for (const std::size_t size : sizes) {
    const auto end = at + static_cast<std::ptrdiff_t>(size);
    norms.push_back(norm({at, end}));
    at = end;
  }
  return norms;
}

} // namespace walks
