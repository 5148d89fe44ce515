// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/neighbours.hpp"

#include <span>
#include <vector>

namespace isthmus::mps {

/// Local. Of each owned particle at the surface (`rows` are at_surface), the sum of the curvatures
/// of the layer of these particles, positive where the fluid bulges; 0 of all others. A parabola,
/// in three dimensions a paraboloid, is fitted to those that are near; where they are too few
/// (spray), the curvature is 0. Images make the layer meet planes at right angles.
[[nodiscard]] std::vector<double> surface_curvature(const Kernel& kernel,
                                                    const Neighbours& neighbours, State& state);

/// Local. Of each owned particle at the surface, the mean of these curvatures (`curvature`, of
/// ghosts, too) near it, as it is half a spacing above, where the fluid ends; 0 of all others.
[[nodiscard]] std::vector<double> smooth_curvature(const Kernel& kernel,
                                                   const Neighbours& neighbours, State& state,
                                                   std::span<const double> curvature);

} // namespace isthmus::mps
