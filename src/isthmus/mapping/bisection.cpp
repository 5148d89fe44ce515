// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/bisection.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::mapping {

namespace {

using geometry::Point;

void split(std::span<const Point> points, std::span<LocalIndex> ids, std::size_t parts,
           std::vector<std::vector<LocalIndex>>& result) {
  if (parts <= 1) {
    result.emplace_back(ids.begin(), ids.end());
    std::sort(result.back().begin(), result.back().end());
    return;
  }
  geometry::Box box;
  for (LocalIndex id : ids) {
    box.expand(points[static_cast<std::size_t>(id)]);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    axis = box.hi[k] - box.lo[k] > box.hi[axis] - box.lo[axis] ? k : axis;
  }
  const std::size_t left = ids.size() * (parts / 2) / parts;
  std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(left), ids.end(),
                   [points, axis](LocalIndex a, LocalIndex b) {
                     const double x = points[static_cast<std::size_t>(a)][axis];
                     const double y = points[static_cast<std::size_t>(b)][axis];
                     return x != y ? x < y : a < b;
                   });
  split(points, ids.first(left), parts / 2, result);
  split(points, ids.subspan(left), parts - parts / 2, result);
}

} // namespace

std::vector<std::vector<LocalIndex>> bisect(std::span<const Point> points, std::size_t parts) {
  std::vector<LocalIndex> ids(points.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<std::vector<LocalIndex>> result;
  split(points, ids, parts, result);
  return result;
}

} // namespace isthmus::mapping
