// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

/// What both programs know of the tube.
namespace tube {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double length = 10;
inline constexpr int cells = 100;
inline constexpr double density = 1;   ///< of the fluid
inline constexpr double area = 1;      ///< of the cross section without pressure
inline constexpr double modulus = 1e4; ///< of the wall, times its thickness of 1

/// Square of the speed of waves in the undeformed tube, E / (2 rho r).
inline double wave_speed_squared() {
  return modulus / (2 * density * std::sqrt(area / pi));
}

/// Middles of the cells, x0 y0 x1 y1 …
inline std::vector<double> positions() {
  std::vector<double> result;
  for (int i = 0; i < cells; ++i) {
    result.insert(result.end(), {(i + 0.5) * length / cells, 0.0});
  }
  return result;
}

} // namespace tube
