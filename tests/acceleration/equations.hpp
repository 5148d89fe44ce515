// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/settings.hpp"

#include "iterate.hpp"

#include <Eigen/Dense>

#include <cstddef>
#include <vector>

namespace isthmus::acceleration {

/// Which values of a state are equations, and what each of them weighs.
class Equations {
 public:
  using Values = Eigen::VectorXd;

  Equations(std::vector<GlobalField> fields, const QuasiNewtonSettings& settings);

  [[nodiscard]] Values all(const State& state) const;
  [[nodiscard]] Values of(const State& state) const;
  /// Of each equation.
  [[nodiscard]] Values weights() const;
  /// Of each value: what divides it by the size of its field, in `all` values of a window.
  [[nodiscard]] Values weights_of_all(const Values& all) const;

  void update(const Values& residual, const Values& answers);
  void complete_window(const Values& answers);

 private:
  [[nodiscard]] bool frozen() const {
    const int windows = settings_.freeze_after;
    return windows > 0 && windows_ >= windows;
  }
  [[nodiscard]] std::size_t num_samples(const GlobalField& field) const {
    return reduced_ ? 1 : field.samples;
  }
  /// Norms of the primary fields' rows in a vector of all equations.
  [[nodiscard]] Vector norms(const Values& rows) const;
  void take_values(const Values& answers);

  std::vector<GlobalField> fields_;
  PreconditionerSettings settings_;
  bool reduced_ = false; // to the last sample
  Vector weights_, sums_;
  bool has_values_ = false;
  int windows_ = 0;
};

} // namespace isthmus::acceleration
