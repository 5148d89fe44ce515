// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/rendezvous/across.hpp"
#include "isthmus/rendezvous/cells.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace isthmus::rendezvous {

[[nodiscard]] constexpr Side other(Side side) {
  return side == Side::provider ? Side::receiver : Side::provider;
}

/// Where boxes of both sides meet, known to all: a box lies on the level that fits its size. Two
/// boxes meet on the coarser of their levels, so each is entered on its own level and on those
/// coarser ones that the other side uses; at most eight cells per level.
struct Grid {
  std::array<Levels, 2> used; // by side

  [[nodiscard]] const Levels& of(Side side) const { return used[static_cast<std::size_t>(side)]; }
  void insert(Side side, const geometry::Box& box) {
    used[static_cast<std::size_t>(side)].insert(level_of(box));
  }

  /// The level of a box, on one that its side uses.
  [[nodiscard]] int level(Side side, const geometry::Box& box) const {
    return of(side).at_least(level_of(box));
  }

  /// False if a box is so much larger than its side's were that it would touch many cells.
  [[nodiscard]] bool fits(Side side, const geometry::Box& box) const {
    return !of(side).empty() && level_of(box) <= level(side, box) + 1;
  }

  /// All cells in which the box is entered.
  template <typename F>
  void for_each_cell(Side side, const geometry::Box& box, F&& f) const {
    const Levels& opposite = of(other(side));
    if (opposite.empty()) {
      return;
    }
    const int own = level(side, box);
    for (int l = std::max(own, opposite.lowest()); l <= Cell::top; ++l) {
      if (l == own || opposite.contains(l)) {
        cells_of(box, l).for_each(f);
      }
    }
  }
};

} // namespace isthmus::rendezvous
