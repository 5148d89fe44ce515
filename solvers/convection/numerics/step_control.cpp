// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

std::optional<double> StepControl::shorter(double change, double step) const {
  constexpr double most = 2; // times the wanted change
  constexpr double least_part = 0.1;
  if (!is_on() || change <= most * limits_.change || step <= limits_.shortest) {
    return std::nullopt;
  }
  const double excess = change / limits_.change;
  return std::max(limits_.shortest, step * std::max(least_part, 1 / excess));
}

void StepControl::add(double change, double step) {
  if (!is_on()) {
    return;
  }
  constexpr double steady = 1e-6; // where nothing changes, steps grow as fast as they may
  const double excess = std::max(change / limits_.change, steady);
  const double before = last_change_ > 0 ? last_change_ : excess;
  const double factor = std::pow(excess, -0.6) * std::pow(before, 0.2);
  next_ = std::clamp(step * std::clamp(factor, 0.5, 2.0), limits_.shortest, limits_.longest);
  last_change_ = excess;
}

void StepControl::resume(double next, double last_change) {
  next_ = std::clamp(next, limits_.shortest, limits_.longest);
  last_change_ = last_change;
}

} // namespace isthmus::convection
