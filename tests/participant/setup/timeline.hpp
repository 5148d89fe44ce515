// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <functional>
#include <string>
#include <vector>

namespace couple {

using Function = std::function<double(double)>; // of time

/// A solver that steps through time and writes a function of it.
struct Actor {
  std::string name;
  Function value;
  double step = 0; // the largest it takes; 0: as large as it may
};

/// What participants A, B and C write.
inline double of_a(double t) {
  return 1 + 2 * t;
}
inline double of_b(double t) {
  return 5 - 3 * t;
}
inline double of_c(double t) {
  return 7 + t;
}

/// What a reader sees at time t + relative time, before the step that starts at t.
using Expected = std::function<double(double t, double relative_time)>;

/// Ends of windows, 0 first. Functions of what a partner's value looks like to its reader.
struct Windows {
  std::vector<double> ends;

  [[nodiscard]] std::size_t index(double t) const; // of the window that t opens or lies in
  /// The value at the start of the window; before any was received `first`.
  [[nodiscard]] Expected held(Function value, double first = 0) const;
  /// Linear from the start to the end of the window.
  [[nodiscard]] Expected linear(Function value, double first = 0) const;
  /// Linear between the ends of all windows.
  [[nodiscard]] Expected piecewise(Function value) const;
  /// The value at the end of the window, except at its very start.
  [[nodiscard]] Expected stepwise(Function value, double first = 0) const;
};

/// Plays a scenario on five vertices that coincide on all meshes, dealt over the ranks. The table
/// has a series "reader/data" of (t, relative time, value) per entry, where each vertex and
/// component has its own multiple of the function, and "participant/steps" of (dt, window complete)
/// by rank.
[[nodiscard]] Table timeline(const Scenario& scenario, const std::vector<Actor>& actors,
                             const Deal& deal);

/// "" if all that was read in the series is as expected, else the first difference.
[[nodiscard]] std::string mismatch(const Table& table, const std::string& series,
                                   const Expected& expected);

} // namespace couple
