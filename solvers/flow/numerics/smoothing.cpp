// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/smoothing.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::flow {

namespace {

/// The elimination of a tridiagonal matrix with rows (-e, 1 + 2 e, -e), 1 + e at the ends.
struct Elimination {
  Elimination(int n, double e) : pivot(static_cast<std::size_t>(n)), factor(pivot) {
    double before = 0;
    for (int i = 0; i < n; ++i) {
      const double neighbours = (i > 0 ? 1 : 0) + (i < n - 1 ? 1 : 0);
      const double diagonal = 1 + e * neighbours - e * before;
      pivot[static_cast<std::size_t>(i)] = 1 / diagonal;
      before = e / diagonal;
      factor[static_cast<std::size_t>(i)] = before;
    }
  }
  std::vector<double> pivot;
  std::vector<double> factor;
};

/// Along i: one line after the other.
void smooth_rows(const Extent& extent, double e, std::span<double> values) {
  const Elimination line(extent.count(0), e);
  const auto n = static_cast<std::ptrdiff_t>(extent.count(0));
  extent.for_each_row([&](std::size_t first, int /*j*/, int /*k*/) {
    double* const x = values.data() + first;
    double before = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      before = (x[i] + e * before) * line.pivot[static_cast<std::size_t>(i)];
      x[i] = before;
    }
    for (std::ptrdiff_t i = n - 2; i >= 0; --i) {
      x[i] += line.factor[static_cast<std::size_t>(i)] * x[i + 1];
    }
  });
}

/// Along j or k: all lines through a row together.
void smooth_lines(const Extent& extent, int axis, double e, std::span<double> values) {
  const Elimination line(extent.count(axis), e);
  const int n = extent.count(axis);
  const auto width = static_cast<std::size_t>(extent.count(0));
  const auto row = [&](int at, int other) {
    return values.data() + (axis == 1 ? extent.at(0, at, other) : extent.at(0, other, at));
  };
  for (int other = 0; other < extent.count(3 - axis); ++other) {
    for (int j = 0; j < n; ++j) {
      double* const x = row(j, other);
      const double* const before = row(j > 0 ? j - 1 : 0, other);
      const double share = j > 0 ? e : 0;
      const double pivot = line.pivot[static_cast<std::size_t>(j)];
      for (std::size_t i = 0; i < width; ++i) {
        x[i] = (x[i] + share * before[i]) * pivot;
      }
    }
    for (int j = n - 2; j >= 0; --j) {
      double* const x = row(j, other);
      const double* const after = row(j + 1, other);
      const double factor = line.factor[static_cast<std::size_t>(j)];
      for (std::size_t i = 0; i < width; ++i) {
        x[i] += factor * after[i];
      }
    }
  }
}

} // namespace

void smooth(const Extent& extent, double strength, std::span<double> values) {
  smooth_rows(extent, strength, values);
  smooth_lines(extent, 1, strength, values);
  if (!extent.is_flat()) {
    smooth_lines(extent, 2, strength, values);
  }
}

} // namespace isthmus::flow
