// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/extent.hpp"
#include "flow/multiblock/vector.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace isthmus::flow {

/// The corners of the cells of one block, without ghosts, i fastest.
struct Nodes {
  Index3 cells{};
  std::vector<Vector> points; // (cells + 1) along each axis

  [[nodiscard]] std::size_t at(int i, int j, int k) const {
    const auto row = static_cast<std::size_t>(cells[0] + 1);
    const auto plane = row * static_cast<std::size_t>(cells[1] + 1);
    return static_cast<std::size_t>(k) * plane + static_cast<std::size_t>(j) * row +
           static_cast<std::size_t>(i);
  }
};

/// One of the six sides of a block: low (0) or high (1) end of an axis.
struct Side {
  int block = 0;
  int axis = 0;
  int end = 0;

  bool operator==(const Side&) const = default;
};

/// Cells before a side along its two axes, from begin up to end.
struct SideRange {
  std::array<int, 2> begin{};
  std::array<int, 2> end{};
};

/// How the nodes or corners of one side lie on those of another one.
struct Orientation {
  bool is_swapped; // the first axis of the one runs along the second one of the other
  std::array<bool, 2> is_reversed;
};

/// Part of a side that the grid has a name for.
struct NamedSide {
  std::string name;
  Side side;
  SideRange cells;
};

/// Parts of two sides of which the grid says that they meet.
struct GivenConnection {
  Side from;
  SideRange cells;
  Side to;
  SideRange there;
  Orientation orientation;
};

/// Where blocks come from: a file, or a shape.
struct GridSource {
  std::string name; // for errors
  bool is_flat = false;
  std::vector<Index3> cells; // per block
  /// Local. The nodes of one block; a flat one is one cell of thickness 1 along z.
  std::function<Nodes(int block)> load;
  std::vector<NamedSide> named{};
  std::vector<GivenConnection> connected{};
};

} // namespace isthmus::flow
