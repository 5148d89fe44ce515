// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// An item of a tree: its place (finite, in any frame) and a number to know it by.
struct Packed {
  std::array<float, 3> x;
  LocalIndex id;
};

/// Orders items so that the first eight, the next eight, …, likewise groups of 64, 512, … lie close
/// together: recursive bisection across the longest edge at multiples of the group.
void pack(std::span<Packed> items);

/// Items 0 to n - 1 packed, where `point_of(id)` is the place of an item within `box`.
template <typename PointOf>
[[nodiscard]] std::vector<Packed> packed(const Box& box, std::size_t n, const PointOf& point_of) {
  const Point center = box.empty() ? Point{} : box.center();
  const double edge = box.longest_edge();
  const double scale = edge > 1e-300 && edge < Box::infinity ? 1.0 / edge : 0.0;
  std::vector<Packed> items(n);
  for (std::size_t i = 0; i < n; ++i) {
    items[i].id = static_cast<LocalIndex>(i);
    const Point p = point_of(items[i].id);
    for (int k = 0; k < 3; ++k) {
      const double x = (p[k] - center[k]) * scale;
      const double capped = x < 1.0 ? x : 1.0; // also what is not a number
      items[i].x[k] = static_cast<float>(capped > -1.0 ? capped : -1.0);
    }
  }
  pack(items);
  return items;
}

} // namespace isthmus::geometry
