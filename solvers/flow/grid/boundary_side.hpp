// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/block.hpp"

#include <cstddef>
#include <string>

namespace isthmus::flow {

enum class BoundaryKind { far_field, outflow, no_slip, slip };

/// Whether what flows along it acts on a body.
[[nodiscard]] inline bool is_wall(BoundaryKind kind) {
  return kind == BoundaryKind::no_slip || kind == BoundaryKind::slip;
}

/// What the case file says of some sides of blocks.
struct Boundary {
  std::string name;
  BoundaryKind kind = BoundaryKind::slip;
};

/// A boundary side of an own piece.
struct BoundarySide {
  std::size_t own; // which of the own pieces
  Side side;       // of its block
  BoundaryKind kind;
  std::size_t boundary; // which Boundary of the case
};

} // namespace isthmus::flow
