// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/boundary.hpp"
#include "flow/numerics/flux.hpp"
#include "flow/numerics/long_sum.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Everything that a residual depends on but the values.
struct Physics {
  Gas gas;
  FluxSettings flux;
};

/// Room for three rows of fluxes, kept between calls; behind the first two for those across k of
/// two planes.
struct FluxRows {
  std::array<std::vector<double>, 3 * num_conserved> rows;
};

/// Sets the primitive values of all cells without ghosts from conserved ones. Both have stored()
/// values per variable.
void set_primitives(const Extent& extent, const Gas& gas, std::span<const double> conserved,
                    BlockValues primitive);

/// Sets the temperatures of all cells, ghosts too.
void set_temperatures(const Extent& extent, const Gas& gas, BlockValues primitive);

/// Sets what flows out of each cell of a block, num_conserved arrays of stored() values, those of
/// ghosts stay. `primitive` with ghosts. Momentum is along axes that turn with the grid.
void set_residual(const Block& block, const Physics& physics, const Turning& turning,
                  std::span<const double> primitive, FluxRows& rows, std::span<double> residual);

/// Sets the largest stable pseudo time step of each cell for a CFL number of 1.
void set_steps(const Block& block, const Physics& physics, const Turning& turning,
               std::span<const double> primitive, std::span<double> steps);

/// What the fluid gives to a wall: force along x, y, z and moment about the pivot around z.
struct Load {
  std::array<double, 4> values{};
};
/// Of each face of a boundary, in the order of BoundarySide::for_each_face.
[[nodiscard]] std::vector<Load> face_loads(const Block& block, const BoundarySide& side,
                                           const Physics& physics, const Turning& turning,
                                           std::span<const double> primitive);
/// The same before it is added up over ranks.
using LoadSum = std::array<LongSum, 4>;

/// Adds what the faces of a boundary feel.
void add_load(const Block& block, const BoundarySide& side, const Physics& physics,
              const Turning& turning, std::span<const double> primitive, LoadSum& sum);

} // namespace isthmus::flow
