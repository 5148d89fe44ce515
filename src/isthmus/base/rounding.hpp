// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus {

/// What counts as rounding of a time: so much of the length of what is stepped through, or some
/// units in the last place of the time at which that happens.
[[nodiscard]] inline double rounding(double relative, double length, double time) {
  constexpr double few_ulps = 16 * std::numeric_limits<double>::epsilon();
  return std::max(relative * std::abs(length), few_ulps * std::abs(time));
}

/// Up to which a rest of a window of that length, at that time, is rounding, and no step that a
/// solver should take.
[[nodiscard]] inline double negligible_rest(double length, double time) {
  return rounding(1e-11, length, time);
}

} // namespace isthmus
