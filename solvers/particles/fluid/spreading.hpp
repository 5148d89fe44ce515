// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/neighbours.hpp"

#include <span>
#include <vector>

namespace isthmus::mps {

/// Local. Owned particles of the fluid that come too near to others, lose the part of their
/// velocities that brings them there, as a mean of what each of the others takes. That is 0.7
/// spacings for those at the surface (`rows` below 0) and 0.5 for others, which are shifted apart.
void collide(double spacing, const Neighbours& neighbours, State& state);

/// How far particles are shifted.
struct Shift {
  double part; // of the way that neighbours go past each other in the step
  double step; // in time
};

/// Local. Where owned particles of the fluid go to be spread evenly: to where there are fewer,
/// along the surface only where that is near; their velocities become those of their new places
/// (Xu, Stansby and Laurence, doi 10.1016/j.jcp.2009.05.032). Those at the surface (`rows` below 0)
/// stay. `density` is relative_density().
[[nodiscard]] std::vector<Vector> shift(const Kernel& kernel, const Neighbours& neighbours,
                                        std::span<const double> density, Shift how, State& state);

} // namespace isthmus::mps
