// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

/// A solver of compressible flow on block-structured grids. Everything is dimensionless: lengths in
/// the reference length L of the grid, velocities in the speed of sound of the free stream a, time
/// in L/a, density in that of the free stream r, pressure in r·a², temperature in that of the free
/// stream. So the free stream has density 1, pressure 1/γ, temperature 1 and speed M.
namespace isthmus::flow {

using Vector = std::array<double, 3>;

[[nodiscard]] inline double distance(const Vector& a, const Vector& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

} // namespace isthmus::flow
