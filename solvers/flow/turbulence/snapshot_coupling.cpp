// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/snapshot_coupling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace isthmus::flow {

namespace {

constexpr std::size_t most_snapshots = 17; // 8 harmonics

/// A row of the equations of all snapshots, and its right side.
using Equation = std::array<double, most_snapshots + 1>;

/// Takes the unknowns out of the equations below, one by one: those with the largest factor first.
void eliminate_unknowns(std::span<Equation> equations) {
  const std::size_t n = equations.size();
  for (std::size_t k = 0; k < n; ++k) {
    const auto first = equations.begin() + static_cast<std::ptrdiff_t>(k);
    std::iter_swap(
        first, std::max_element(first, equations.end(), [k](const Equation& a, const Equation& b) {
          return std::abs(a[k]) < std::abs(b[k]);
        }));
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = equations[row][k] / equations[k][k];
      for (std::size_t column = k + 1; column <= n; ++column) {
        equations[row][column] -= factor * equations[k][column];
      }
    }
  }
}

} // namespace

SnapshotCoupling::SnapshotCoupling(const TimeSettings& settings) : derivative_(1, 0.0) {
  if (settings.kind != TimeKind::harmonic) {
    return;
  }
  const int n = 2 * settings.harmonics + 1;
  derivative_ = spectral_derivative(n);
  for (std::size_t s = 0; s < static_cast<std::size_t>(n); ++s) { // the first column
    derivative_[s] = settings.frequency * derivative_[s * static_cast<std::size_t>(n)];
  }
  derivative_.resize(static_cast<std::size_t>(n));
}

void SnapshotCoupling::derive(std::span<const double> values, std::span<double> derivatives) const {
  const std::size_t n = values.size();
  for (std::size_t s = 0; s < n; ++s) {
    double sum = 0;
    for (std::size_t m = 0; m < n; ++m) {
      sum += derivative_[m] * values[(s + n - m) % n];
    }
    derivatives[s] = sum;
  }
}

void SnapshotCoupling::solve(std::span<const double> steps, std::span<double> changes) const {
  const std::size_t n = derivative_.size();
  std::array<Equation, most_snapshots> all; // whose first n are used
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t of = 0; of < n; ++of) {
      all[s][of] = (of == s ? 1.0 : 0.0) + steps[s] * derivative_[(s + n - of) % n];
    }
    all[s][n] = changes[s];
  }
  eliminate_unknowns(std::span(all).first(n));
  for (std::size_t s = n; s-- > 0;) {
    double sum = all[s][n];
    for (std::size_t of = s + 1; of < n; ++of) {
      sum -= all[s][of] * changes[of];
    }
    changes[s] = sum / all[s][s];
  }
}

} // namespace isthmus::flow
