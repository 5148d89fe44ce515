// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

namespace isthmus::flow {

/// Cells of a side along its two axes, from begin up to end, with a common value.
struct Rectangle {
  std::array<int, 2> begin{};
  std::array<int, 2> end{};
  int value = 0;
};

/// Divides `values` of a side (counts[0] run fastest) into rectangles, as long as can be along the
/// first axis, then along the second; values below 0 are left out.
[[nodiscard]] std::vector<Rectangle> rectangles(std::vector<int> values,
                                                const std::array<int, 2>& counts);

} // namespace isthmus::flow
