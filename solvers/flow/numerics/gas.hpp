// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/vector.hpp"

#include <array>
#include <cstddef>

namespace isthmus::flow {

/// An ideal gas of constant viscosity, to which that of turbulence is added.
struct Gas {
  double gamma = 1.4;
  double prandtl = 0.72;
  double viscosity = 0; // M/Re; 0: inviscid
  bool is_turbulent = false;
  double turbulent_prandtl = 0.9;
};

/// Density, momentum along x, y, z, energy: what is conserved, per volume.
constexpr int num_conserved = 5;
/// Density, velocity along x, y, z, pressure, temperature, viscosity of turbulence.
constexpr int num_primitive = 7;
/// Which of them turbulence sets; only read where the gas is turbulent.
constexpr std::size_t eddy_field = 6;

using Primitive = std::array<double, 5>; // without what follows from others

/// The undisturbed flow: density, velocity, pressure.
[[nodiscard]] inline Primitive free_stream(const Gas& gas, const Vector& velocity) {
  return {1, velocity[0], velocity[1], velocity[2], 1 / gas.gamma};
}

[[nodiscard]] inline std::array<double, num_conserved> conserved(const Gas& gas,
                                                                 const Primitive& w) {
  const double speed2 = w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
  return {w[0], w[0] * w[1], w[0] * w[2], w[0] * w[3],
          w[4] / (gas.gamma - 1) + 0.5 * w[0] * speed2};
}

} // namespace isthmus::flow
