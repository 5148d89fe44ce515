// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/packing.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus::geometry {
namespace {

constexpr std::size_t width = 8;

// Axis of the longest edge of the box of some of the items.
int long_axis(std::span<const Packed> items) {
  constexpr std::size_t enough = 128;
  const std::size_t step = (items.size() + enough - 1) / enough;
  std::array<float, 3> lo = items[0].x;
  std::array<float, 3> hi = lo;
  for (std::size_t i = 0; i < items.size(); i += step) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], items[i].x[k]);
      hi[k] = std::max(hi[k], items[i].x[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
  }
  return axis;
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
  constexpr std::size_t most = 63;
  const std::size_t count = std::min(most, items.size() / 8 + 1);
  const std::size_t step = items.size() / count;
  std::array<float, most> sample;
  for (std::size_t i = 0; i < count; ++i) {
    sample[i] = items[i * step].x[axis];
  }
  const auto at = sample.begin() + std::ptrdiff_t(rank * count / items.size());
  std::nth_element(sample.begin(), at, sample.begin() + std::ptrdiff_t(count));
  return *at;
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
    select(items, half, long_axis(items));
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
