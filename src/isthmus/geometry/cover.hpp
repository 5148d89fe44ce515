// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <span>
#include <vector>

namespace isthmus::geometry {

/// At most `max_boxes` (>= 1) boxes that together contain all points of interleaved coordinates and
/// as little empty space as is cheap to find: gaps, L-shapes and strips come out tight. The result
/// does not depend on the order of the points; no points, no boxes.
[[nodiscard]] std::vector<Box> cover(int dim, std::span<const double> coords, int max_boxes);

} // namespace isthmus::geometry
