// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/time_terms.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// The derivative in time of what the snapshots of a period have in a cell, and implicit steps with
/// it.
class SnapshotCoupling {
 public:
  /// Of other kinds than harmonic there is one snapshot, whose derivative is 0.
  explicit SnapshotCoupling(const TimeSettings& settings);

  [[nodiscard]] int num_snapshots() const { return static_cast<int>(derivative_.size()); }
  /// Of as many values as there are snapshots, spectral (spectral_derivative).
  void derive(std::span<const double> values, std::span<double> derivatives) const;
  /// Changes without regard to the derivative become those with it: the solution x of
  /// x + steps dx/dt = changes, of as many steps as there are snapshots.
  void solve(std::span<const double> steps, std::span<double> changes) const;

 private:
  std::vector<double> derivative_; // by a snapshot at the later ones, per unit of time
};

} // namespace isthmus::flow
