// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <span>

namespace isthmus::geometry {

/// Upper bound of the distance from any place in a finite box to that of the points (interleaved
/// coordinates) that is nearest to it: at most half too large, or by the distance between
/// neighbours where points fill the box. Infinite without points.
[[nodiscard]] double farthest_from(int dim, std::span<const double> points, const Box& box);

} // namespace isthmus::geometry
