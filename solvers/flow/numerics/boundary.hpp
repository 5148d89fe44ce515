// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/boundary_side.hpp"
#include "flow/numerics/gas.hpp"

#include <span>

namespace isthmus::flow {

/// How the grid moves at a moment: rad per unit of time about the z axis through the pivot, and the
/// velocity of the pivot along the axes of the grid.
struct Turning {
  double speed = 0;
  Vector pivot{};
  Vector velocity{};
};

/// Primitive values of a block and a snapshot: num_primitive arrays of stored() values.
using BlockValues = std::span<double>;

/// Fills ghosts behind a side from the cells before it: at no-slip walls, which are adiabatic, the
/// velocity relative to the wall is reversed, at slip walls its normal part; in the far field what
/// goes out and what comes in follows from the Riemann invariants of both sides (Whitfield, Janus
/// (1984), doi:10.2514/6.1984-1552); at an outflow the pressure is that of the free stream. Ghosts
/// of both other axes are filled, too, from theirs.
void fill_boundary(const Block& block, const BoundarySide& side, const Gas& gas,
                   const Primitive& undisturbed, const Turning& turning, BlockValues values);

} // namespace isthmus::flow
