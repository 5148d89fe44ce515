// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/neighbours.hpp"

#include <functional>
#include <span>
#include <vector>

namespace isthmus::mps {

/// Below this relative density a particle may be near the surface.
constexpr double thin = 0.97;

[[nodiscard]] inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Of each owned particle: the sum of its neighbours' weights over that of a full lattice.
[[nodiscard]] std::vector<double> relative_density(const Kernel& kernel,
                                                   const Neighbours& neighbours, std::size_t owned);

/// Of each owned particle of the fluid, 1 where nothing lies above it, seen from the fluid: it is
/// thinly surrounded, and either very thinly or no other one of the fluid is in the cone of 45
/// degrees around the direction away from its neighbours (after Marrone et al.,
/// doi 10.1016/j.jcp.2010.01.019). Walls are at the surface where they are dry.
[[nodiscard]] std::vector<char> find_surface(const Kernel& kernel, const Neighbours& neighbours,
                                             State& state, std::span<const double> density);

/// Of a neighbour, seen from an owned particle.
[[nodiscard]] inline Vector relative_velocity(std::span<const double> velocities, std::size_t row,
                                              const Neighbour& neighbour) {
  Vector result = velocity_of(velocities, neighbour);
  for (std::size_t d = 0; d < 3; ++d) {
    result[d] -= velocities[3 * row + d];
  }
  return result;
}

/// Adds `step` times the viscous acceleration to the velocities of the owned fluid. Walls act on it
/// unless it slips on them.
void add_viscosity(const Kernel& kernel, const Neighbours& neighbours, double viscosity_by_step,
                   bool slips, State& state);

/// Divergence of the velocity at an owned particle, exact for linear velocities. Fluid slips along
/// walls: between it and them only velocities across the wall count, and a wall's particle sees it
/// flow past as its mean does.
[[nodiscard]] double divergence(const Kernel& kernel, std::span<const Neighbour> neighbours,
                                State& state, std::size_t row);

/// Pressures of all particles, less those of a column of liquid with this slope.
struct Pressures {
  std::span<const double> beyond;
  Vector column{};

  /// From an owned particle to a neighbour. Images have the pressure of their depth.
  [[nodiscard]] double change(std::size_t row, const Neighbour& neighbour) const {
    return beyond[neighbour.row] - beyond[row] + dot(column, neighbour.way);
  }
};

/// Gradient of the pressure at an owned particle, exact for linear ones wherever enough neighbours
/// have a pressure (`has`); a plain weighted sum elsewhere (Khayyer and Gotoh, doi
/// 10.1016/j.jcp.2011.01.009).
[[nodiscard]] Vector gradient(const Kernel& kernel, std::span<const Neighbour> neighbours,
                              const Pressures& pressures, std::size_t row,
                              const std::function<bool(std::size_t)>& has);

/// How much the velocity of the fluid changes on a short way from an owned particle, exact for
/// linear velocities; nothing where too few particles of the fluid are near.
[[nodiscard]] Vector velocity_change(const Kernel& kernel, std::span<const Neighbour> neighbours,
                                     State& state, std::size_t row, const Vector& way);

} // namespace isthmus::mps
