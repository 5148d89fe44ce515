// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

/// A solver of compressible flow on block-structured grids. Everything is dimensionless: lengths in
/// the reference length L of the grid, velocities in the speed of sound of the free stream a, time
/// in L/a, density in that of the free stream r, pressure in r·a², temperature in that of the free
/// stream. So the free stream has density 1, pressure 1/γ, temperature 1 and speed M.
namespace isthmus::flow {

using Vector = std::array<double, 3>;

} // namespace isthmus::flow
