// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/bisection.hpp"

#include <algorithm>

namespace isthmus::radial {

namespace {

using geometry::Point;

struct Item {
  Point x;
  LocalIndex id;
};

void split(std::span<Item> items, std::size_t parts, std::vector<std::vector<LocalIndex>>& result) {
  if (parts <= 1) {
    std::vector<LocalIndex>& leaf = result.emplace_back();
    for (const Item& item : items) {
      leaf.push_back(item.id);
    }
    std::sort(leaf.begin(), leaf.end());
    return;
  }
  geometry::Box box;
  for (const Item& item : items) {
    box.expand(item.x);
  }
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k) {
    axis = box.hi[k] - box.lo[k] > box.hi[axis] - box.lo[axis] ? k : axis;
  }
  const std::size_t left = items.size() * (parts / 2) / parts;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(left), items.end(),
                   [axis](const Item& a, const Item& b) {
                     return a.x[axis] != b.x[axis] ? a.x[axis] < b.x[axis] : a.id < b.id;
                   });
  split(items.first(left), parts / 2, result);
  split(items.subspan(left), parts - parts / 2, result);
}

} // namespace

std::vector<std::vector<LocalIndex>> bisect(std::span<const Point> points, std::size_t parts) {
  std::vector<Item> items;
  items.reserve(points.size());
  for (const Point& x : points) {
    items.push_back({x, static_cast<LocalIndex>(items.size())});
  }
  std::vector<std::vector<LocalIndex>> result;
  result.reserve(parts);
  split(items, parts, result);
  return result;
}

} // namespace isthmus::radial
