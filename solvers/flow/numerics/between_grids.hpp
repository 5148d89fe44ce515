// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/solution.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::flow {

/// Conserved values of all snapshots.
[[nodiscard]] std::size_t num_conserved_fields(const Solution& solution);

/// Collective. Of all conserved values, or what belongs to them.
[[nodiscard]] GhostExchange conserved_exchange(const comm::Comm& comm, const Solution& solution);

/// Local. Values behind boundaries become those before them; `values` as Solution::conserved().
void extend_behind_boundaries(const Solution& solution, std::vector<double>& values);

/// Local. Adds to the cells of a fine block what lies linearly between those of the coarse one:
/// three quarters of the nearer and a quarter of the farther one along each axis.
void add_between(const Extent& coarse, const Extent& fine, const double* changes, double* values);

/// Collective. The flow of a grid becomes that of the next coarser one (make_grids), linearly
/// between its cells; constant up to boundaries.
void interpolate(const comm::Comm& comm, const Solution& coarse, Solution& fine);

/// Local. The flow at snapshots of a period becomes that which harmonics of fewer snapshots have
/// there, on the same grid.
void add_harmonics(const Solution& few, Solution& many);

} // namespace isthmus::flow
