// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <span>
#include <vector>

namespace isthmus::radial {

/// Parts of nearly equal numbers of points, by cuts across the longest edge. Points of a part
/// ascend; equal places are told apart by number.
[[nodiscard]] std::vector<std::vector<LocalIndex>> bisect(std::span<const geometry::Point> points,
                                                          std::size_t parts);

} // namespace isthmus::radial
