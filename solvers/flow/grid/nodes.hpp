// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/extent.hpp"
#include "flow/grid/vector.hpp"

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

/// Part of a side that the grid has a name for.
struct NamedSide {
  std::string name;
  Side side;
  Index3 begin{}; // cells along the two axes of the side
  Index3 end{};
};

/// Where blocks come from: a file, or a shape.
struct GridSource {
  std::string name; // for errors
  bool is_flat = false;
  std::vector<Index3> cells; // per block
  /// Local. The nodes of one block; a flat one is one cell of thickness 1 along z.
  std::function<Nodes(int block)> load;
  std::vector<NamedSide> named{};
};

} // namespace isthmus::flow
