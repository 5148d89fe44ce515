// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/packing.hpp"

#include "isthmus/geometry/search/lanes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace isthmus::geometry {
namespace {

constexpr std::size_t width = 8;

// Up to this many keys are ranked by comparing all with all.
constexpr std::size_t few = 64;

struct LongestEdge {
  int axis; // of the longest edge
  float lo; // along it
};

// Box of some of the items.
LongestEdge longest_edge_of(std::span<const Packed> items) {
  constexpr std::size_t enough = 128;
  const std::size_t step = (items.size() + enough - 1) / enough;
  Lanes lo = load_any(items[0].x.data());
  Lanes hi = lo;
  for (std::size_t i = 0; i < items.size(); i += step) {
    const Lanes x = load_any(items[i].x.data()); // and the id, unused
    lo = min(lo, x);
    hi = max(hi, x);
  }
  const Lanes edge = hi - lo;
  const int axis = edge[0] >= edge[1] ? (edge[0] >= edge[2] ? 0 : 2) : (edge[1] >= edge[2] ? 1 : 2);
  return {axis, lo[axis]};
}

// Distinct numbers in the order of the (non-negative) distances from `lo`.
struct Keys {
  alignas(16) std::array<std::int32_t, few> key;

  void set(std::size_t i, float distance) {
    key[i] = (std::bit_cast<std::int32_t>(distance) & ~std::int32_t{few - 1}) |
             static_cast<std::int32_t>(i);
  }
  [[nodiscard]] std::size_t rank(std::size_t i, std::size_t count) const {
    std::int32_t rank = 0;
    for (std::size_t j = 0; j < count; ++j) {
      rank += key[j] < key[i] ? 1 : 0;
    }
    return static_cast<std::size_t>(rank);
  }
};

// Sorts up to `few` items.
void sort_few(std::span<Packed> items, const LongestEdge& longest) {
  const std::size_t n = items.size();
  Keys keys;
  std::array<Packed, few> copy;
  for (std::size_t i = 0; i < n; ++i) {
    copy[i] = items[i];
    keys.set(i, items[i].x[longest.axis] - longest.lo);
  }
  for (std::size_t i = 0; i < n; ++i) {
    items[keys.rank(i, n)] = copy[i];
  }
}

// Brings the items for which `is_left` holds to the front; returns their number. No branches.
template <typename IsLeft>
std::size_t partition(std::span<Packed> items, IsLeft is_left) {
  std::size_t left = 0;
  for (Packed& item : items) {
    const Packed x = item;
    item = items[left];
    items[left] = x;
    left += is_left(x) ? 1 : 0;
  }
  return left;
}

// About the `rank`-th smallest coordinate, from a sample.
float pivot_near(std::span<const Packed> items, std::size_t rank, int axis) {
  const std::size_t count = std::min(few, items.size() / 16 + 1);
  const std::size_t step = items.size() / count;
  Keys keys;
  for (std::size_t i = 0; i < count; ++i) {
    keys.set(i, items[i * step].x[axis] + 1.0F);
  }
  const std::size_t wanted = rank * count / items.size();
  std::size_t i = 0;
  while (keys.rank(i, count) != wanted) {
    ++i;
  }
  return items[i * step].x[axis];
}

// Brings the `rank` items of smallest coordinate to the front: quickselect.
void select(std::span<Packed> items, std::size_t rank, int axis) {
  while (items.size() > 1 && rank > 0 && rank < items.size()) {
    const float pivot = pivot_near(items, rank, axis);
    std::size_t left = partition(items, [=](const Packed& p) { return p.x[axis] < pivot; });
    if (left == 0) { // the pivot is the smallest
      left = partition(items, [=](const Packed& p) { return p.x[axis] <= pivot; });
      if (rank < left) {
        return;
      }
    }
    if (rank < left) {
      items = items.first(left);
    } else {
      items = items.subspan(left);
      rank -= left;
    }
  }
}

void bisect(std::span<Packed> items, std::size_t group) {
  while (items.size() > group) {
    const std::size_t groups = (items.size() + group - 1) / group;
    const std::size_t half = groups / 2 * group;
    const LongestEdge longest = longest_edge_of(items);
    if (items.size() <= few) {
      sort_few(items, longest);
    } else {
      select(items, half, longest.axis);
    }
    bisect(items.first(half), group);
    items = items.subspan(half);
  }
  pack(items);
}

} // namespace

void pack(std::span<Packed> items) {
  std::size_t group = 1;
  while (group * width < items.size()) {
    group *= width;
  }
  if (group > 1) {
    bisect(items, group);
  }
}

} // namespace isthmus::geometry
