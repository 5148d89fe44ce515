// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/project_sorted.hpp"

#include <algorithm>
#include <array>

/// The projections of the library for corners in any order, one element at a time: an oracle for
/// indexes.
namespace any_order {

using isthmus::geometry::Corner;
using isthmus::geometry::Point;
using isthmus::geometry::Projection;

inline Projection closest_on_edge(const Point& query, const Corner& a, const Corner& b) {
  return lexicographic(b, a) ? isthmus::geometry::closest_on_edge(query, b, a)
                             : isthmus::geometry::closest_on_edge(query, a, b);
}

inline Projection closest_on_triangle(const Point& query, std::array<Corner, 3> corners) {
  std::sort(corners.begin(), corners.end(), isthmus::geometry::lexicographic);
  return isthmus::geometry::closest_on_triangle(query, corners);
}

} // namespace any_order
