// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/bvh.hpp"

#include "isthmus/base/error.hpp"

#include <limits>

namespace isthmus::geometry {
namespace {

constexpr float nowhere = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

// Errors of single precision with room to spare: 2^-22 of a coordinate, and of a squared distance.
constexpr float rounding = 2.4e-7F;
constexpr double margin = 1e-6;

// Half extents that can be scaled to 1.
constexpr double smallest_half = 1e-300;
constexpr double largest_half = 1e300;

// Beyond this many extents the distances of single boxes cannot be told apart.
constexpr double far_away = 1e6;

// Positions on a level must fit below the level in an Entry, children included.
constexpr std::size_t max_items = std::size_t{1} << 30;

} // namespace

Bvh::Bvh(const Box& extent, std::size_t items) : items_(items) {
  check(items <= max_items, "a spatial index holds at most {} items, not {}", max_items, items);
  const Point center = extent.center();
  const double half =
      std::max({extent.hi[0] - center[0], extent.hi[1] - center[1], extent.hi[2] - center[2]});
  if (half > smallest_half && half < largest_half) {
    center_ = center;
    scale_ = std::exp2(-std::ilogb(half) - 1);
  } else if (half >= 0.0 && half <= smallest_half) {
    center_ = center;
  }
  std::size_t total = 0;
  for (std::size_t count = items; count > 0; count = count == 1 ? 0 : count) {
    count = (count + width - 1) / width;
    offset_[levels_++] = total;
    total += count;
  }
  offset_[levels_] = total;
  Node empty;
  for (int axis = 0; axis < 3; ++axis) {
    std::fill_n(empty.lo[axis], width, nowhere);
    std::fill_n(empty.hi[axis], width, -nowhere);
  }
  nodes_.assign(total, empty);
}

void Bvh::set_box(std::size_t item, const Box& box) {
  Node& node = nodes_[item / width];
  for (int axis = 0; axis < 3; ++axis) {
    node.lo[axis][item % width] = static_cast<float>((box.lo[axis] - center_[axis]) * scale_);
    node.hi[axis][item % width] = static_cast<float>((box.hi[axis] - center_[axis]) * scale_);
  }
}

void Bvh::close() {
  for (int level = 1; level < levels_; ++level) {
    const std::size_t children = offset_[level] - offset_[level - 1];
    for (std::size_t child = 0; child < children; ++child) {
      const Node& from = nodes_[offset_[level - 1] + child];
      Node& to = nodes_[offset_[level] + child / width];
      for (int axis = 0; axis < 3; ++axis) {
        to.lo[axis][child % width] = *std::min_element(from.lo[axis], from.lo[axis] + width);
        to.hi[axis][child % width] = *std::max_element(from.hi[axis], from.hi[axis] + width);
      }
    }
  }
}

Bvh::Query Bvh::query(const Point& point) const {
  Point x;
  double size = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    x[axis] = (point[axis] - center_[axis]) * scale_;
    size = std::max(size, std::abs(x[axis]));
  }
  if (!(size < far_away)) { // everything is within reach
    return {{}, nowhere};
  }
  return {{static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])},
          static_cast<float>(size) * rounding};
}

float Bvh::bound(const Query& query, double distance2) const {
  const double reach = std::sqrt(distance2) * scale_ + static_cast<double>(query.slack);
  const double bound = reach * reach * (1.0 + margin);
  return bound < static_cast<double>(largest) ? static_cast<float>(bound) : largest;
}

} // namespace isthmus::geometry
