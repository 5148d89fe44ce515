// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/numerics/boundary.hpp"
#include "flow/numerics/solution.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace isthmus::flow {

/// The flow in an own piece, with ghosts (Solution::complete), as turbulence sees it. What it
/// refers to must outlive it.
struct PieceFlow {
  const Block& block;
  Gas gas;
  Turning turning;
  std::span<const double> primitive;
  int snapshot = 0;

  [[nodiscard]] int num_axes() const { return block.extent.is_flat() ? 2 : 3; }
  [[nodiscard]] const double* field(std::size_t v) const {
    return primitive.data() + v * block.extent.stored();
  }
};

/// Of an own piece in a snapshot.
[[nodiscard]] PieceFlow piece_flow(const Solution& solution, std::size_t own, int snapshot);

/// Mass that flows through the face at the low end of a cell along an axis, to its high side.
[[nodiscard]] double mass_flux(const PieceFlow& flow, int axis, std::size_t cell);

/// Of a cell without ghosts, from the means of a field (stored() values) at its faces.
[[nodiscard]] Vector gradient(const Block& block, const double* field, std::size_t cell);

/// The size of the curl of the velocity in a cell without ghosts.
[[nodiscard]] double vorticity(const PieceFlow& flow, std::size_t cell);

} // namespace isthmus::flow
