// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/snapshot_coupling.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace isthmus::flow {

namespace {

constexpr std::size_t most_snapshots = 17; // 8 harmonics

/// Values of snapshots by those of the others: `row[m]` is how much one that lies m before counts.
void convolve(std::span<const double> row, std::span<const double> values, std::span<double> to) {
  const std::size_t n = values.size();
  for (std::size_t s = 0; s < n; ++s) {
    double sum = 0;
    for (std::size_t m = 0; m < n; ++m) {
      sum += row[m] * values[(s + n - m) % n];
    }
    to[s] = sum;
  }
}

} // namespace

SnapshotCoupling::SnapshotCoupling(const TimeSettings& settings)
    : frequency_(settings.frequency), derivative_(1, 0.0) {
  if (settings.kind != TimeKind::harmonic) {
    return;
  }
  const int n = 2 * settings.harmonics + 1;
  derivative_ = spectral_derivative(n);
  for (std::size_t s = 0; s < static_cast<std::size_t>(n); ++s) { // the first column
    derivative_[s] = settings.frequency * derivative_[s * static_cast<std::size_t>(n)];
  }
  derivative_.resize(static_cast<std::size_t>(n));
  for (int k = 1; k <= settings.harmonics; ++k) {
    for (int s = 0; s < n; ++s) {
      const double angle = 2 * std::numbers::pi * k * s / n;
      cosines_.push_back(std::cos(angle));
      sines_.push_back(std::sin(angle));
    }
  }
}

void SnapshotCoupling::derive(std::span<const double> values, std::span<double> derivatives) const {
  convolve(derivative_, values, derivatives);
}

/// The derivative is circulant, and so is the inverse, whose eigenvalues are 1 / (1 + i k w step).
void SnapshotCoupling::solve(double step, std::span<double> changes) const {
  const std::size_t n = derivative_.size();
  std::array<double, most_snapshots> inverse{};
  std::array<double, most_snapshots> found{};
  for (std::size_t m = 0; m < n; ++m) {
    double sum = 1;
    for (std::size_t k = 1; 2 * k < n; ++k) {
      const double turn = static_cast<double>(k) * frequency_ * step;
      const std::size_t at = (k - 1) * n + m;
      sum += 2 * (cosines_[at] + turn * sines_[at]) / (1 + turn * turn);
    }
    inverse[m] = sum / static_cast<double>(n);
  }
  convolve(std::span(inverse).first(n), changes, std::span(found).first(n));
  for (std::size_t s = 0; s < n; ++s) {
    changes[s] = found[s];
  }
}

} // namespace isthmus::flow
