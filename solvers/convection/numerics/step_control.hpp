// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace isthmus::convection {

/// What lengths adaptive steps aim at.
struct StepLimits {
  double change = 0; ///< relative change in a step; 0: steps are equal
  double shortest = 0;
  double longest = 0;
};

/// Lengths of steps in which as much changes as is wanted: the controller PI.4.2 of Söderlind
/// (2003, doi 10.1145/641876.641877) for changes that are proportional to the step.
class StepControl {
 public:
  /// `step` is the first.
  StepControl(const StepLimits& limits, double step) : limits_(limits), next_(step) {}

  [[nodiscard]] bool is_on() const { return limits_.change > 0; }
  /// The length of the step that begins next.
  [[nodiscard]] double next() const { return next_; }
  /// The length with which a step must be repeated in which so much has changed; none if it may
  /// stand. Steps of the least length always may.
  [[nodiscard]] std::optional<double> shorter(double change, double step) const;
  /// A step of this length stands.
  void add(double change, double step);

  /// What an interrupted run goes on with.
  [[nodiscard]] double last_change() const { return last_change_; }
  void resume(double next, double last_change);

 private:
  StepLimits limits_;
  double next_;
  double last_change_ = 0; // over the wanted one; 0: not known
};

} // namespace isthmus::convection
