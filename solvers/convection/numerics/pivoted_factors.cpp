// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/pivoted_factors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::convection {

void PivotedFactors::factor(std::vector<double> matrix, std::size_t rows, double nothing) {
  triangles_ = std::move(matrix);
  double largest = 0;
  for (const double value : triangles_) {
    largest = std::max(largest, std::abs(value));
  }
  pivots_.assign(rows, 0);
  for (std::size_t k = 0; k < rows; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < rows; ++r) {
      pivot =
          std::abs(triangles_[r * rows + k]) > std::abs(triangles_[pivot * rows + k]) ? r : pivot;
    }
    pivots_[k] = pivot;
    std::swap_ranges(&triangles_[k * rows], &triangles_[k * rows] + rows,
                     &triangles_[pivot * rows]);
    double& own = triangles_[k * rows + k];
    own = std::abs(own) > nothing * largest ? 1 / own : 0;
    for (std::size_t r = k + 1; r < rows; ++r) {
      const double factor = triangles_[r * rows + k] *= own;
      for (std::size_t c = k + 1; c < rows && factor != 0; ++c) {
        triangles_[r * rows + c] -= factor * triangles_[k * rows + c];
      }
    }
  }
}

void PivotedFactors::solve(std::span<double> x) const {
  const std::size_t rows = pivots_.size();
  for (std::size_t k = 0; k < rows; ++k) {
    std::swap(x[k], x[pivots_[k]]);
  }
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t c = 0; c < k; ++c) {
      x[k] -= triangles_[k * rows + c] * x[c];
    }
  }
  for (std::size_t k = rows; k-- > 0;) {
    for (std::size_t c = k + 1; c < rows; ++c) {
      x[k] -= triangles_[k * rows + c] * x[c];
    }
    x[k] *= triangles_[k * rows + k];
  }
}

} // namespace isthmus::convection
