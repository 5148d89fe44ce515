// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/block.hpp"

#include <algorithm>
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

/// A boundary of an own piece: a side of it, or part of one.
struct BoundarySide {
  std::size_t own; // which of the own pieces
  Side side;       // of its block
  BoundaryKind kind;
  std::size_t boundary; // which Boundary of the case
  Index3 begin{};       // ghosts behind it, with those of the two other axes
  Index3 end{};

  /// Calls visit(cell) for the ghosts behind it.
  template <typename Visit>
  void for_each_ghost(Visit&& visit) const {
    Extent::for_each_in(begin, end, visit);
  }
  /// Calls visit(cell) for those whose low face lies on it; `extent` of the piece.
  template <typename Visit>
  void for_each_face(const Extent& extent, Visit&& visit) const {
    Index3 low{};
    Index3 high{};
    for (std::size_t a = 0; a < 3; ++a) {
      const int count = extent.count(static_cast<int>(a));
      low[a] = std::max(begin[a], 0);
      high[a] = std::min(end[a], count);
      if (static_cast<int>(a) == side.axis) {
        low[a] = side.end == 0 ? 0 : count;
        high[a] = low[a] + 1;
      }
    }
    Extent::for_each_in(low, high, visit);
  }
};

} // namespace isthmus::flow
