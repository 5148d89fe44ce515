// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/bvh.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::geometry {
namespace {

constexpr float nowhere = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

// Errors of single precision with room to spare: 2^-22 of a coordinate.
constexpr float rounding = 2.4e-7F;

// Extents that can be scaled to 1.
constexpr double smallest_edge = 1e-300;
constexpr double largest_edge = 1e300;

// Beyond this many extents the distances of single boxes cannot be distinguished.
constexpr double far_away = 1e6;

// Searches start at nodes of this level, 8^3 items each.
constexpr std::uint32_t near_level = 2;

// The names of all children of a level must fit below the level.
constexpr std::size_t max_items = std::size_t{1} << 30;

} // namespace

Bvh::Bvh(const Box& extent, std::size_t items) {
  check(items <= max_items, "a spatial index takes at most {} items, not {}", max_items, items);
  const double edge = extent.longest_edge();
  if (edge < largest_edge) {
    center_ = extent.empty() ? Point{} : extent.center();
    scale_ = edge > smallest_edge ? std::exp2(-std::ilogb(edge)) : 1.0;
  }
  std::size_t total = 0;
  for (std::size_t count = items; count > 0; count = count == 1 ? 0 : count) {
    count = (count + width - 1) / width;
    offset_[levels_++] = total;
    total += count;
  }
  offset_[levels_] = total;
  nodes_ = std::make_unique_for_overwrite<EightBoxes[]>(total);
  for (int level = 0; level < levels_; ++level) { // their last nodes may be partly used
    nodes_[offset_[level + 1] - 1].clear();
  }
}

void Bvh::set_box(std::size_t item, const Box& box) {
  EightBoxes& node = nodes_[item / width];
  for (int axis = 0; axis < 3; ++axis) {
    node.lo[axis][item % width] = static_cast<float>((box.lo[axis] - center_[axis]) * scale_);
    node.hi[axis][item % width] = static_cast<float>((box.hi[axis] - center_[axis]) * scale_);
  }
}

void Bvh::close() {
  for (int level = 1; level < levels_; ++level) {
    const std::size_t children = offset_[level] - offset_[level - 1];
    for (std::size_t child = 0; child < children; ++child) {
      nodes_[offset_[level] + child / width].enclose(child % width,
                                                     nodes_[offset_[level - 1] + child]);
    }
  }
  if (levels_ > 0) {
    near_ = 0.5 * mean_edge(std::min(levels_ - 1, static_cast<int>(near_level) + 1)) / scale_;
  }
}

// Mean of the longest edges of the boxes kept in the nodes of a level.
double Bvh::mean_edge(int level) const {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = offset_[level]; i < offset_[level + 1]; ++i) {
    for (std::size_t k = 0; k < width; ++k) {
      const float edge = nodes_[i].longest_edge(k);
      if (edge >= 0.0F && edge <= largest) {
        sum += double{edge};
        ++count;
      }
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
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

// Longest edge of the box of a node of some hundred items near the query.
float Bvh::local_size(const Query& query) const {
  const LanesPoint x(query.x);
  Name name = root();
  float size = nowhere;
  while (name >> level_shift > near_level) {
    const EightBoxes& boxes = node(name);
    alignas(16) float distance2[width];
    boxes.distances2(x, nowhere, distance2);
    const auto k = std::min_element(distance2, distance2 + width) - distance2;
    size = boxes.longest_edge(static_cast<std::size_t>(k));
    name = first_child(name) + static_cast<Name>(k);
  }
  return size;
}

// Children that meet the cube of the cursor of its first `count` nodes; returns their number, which
// is larger than fits if they do not fit.
std::size_t Bvh::descend(const Cursor& cursor, std::size_t count, Names& children) const {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Name name = cursor.names_[i];
    unsigned mask = node(name).meet(cursor.center_, cursor.half_);
    if (found + static_cast<std::size_t>(std::popcount(mask)) > children.size()) {
      return children.size() + 1;
    }
    for (; mask != 0; mask &= mask - 1) {
      children[found++] = first_child(name) + static_cast<Name>(std::countr_zero(mask));
    }
  }
  return found;
}

// Chooses a cube around the query and the few nodes that meet it.
void Bvh::move(Cursor& cursor, const Query& query, float reach) const {
  cursor.center_ = query.x;
  cursor.half_ = std::min(2.0F * reach + 0.5F * local_size(query), largest);
  cursor.names_[0] = root();
  std::size_t count = 1;
  while (count > 0 && cursor.names_[0] >> level_shift > near_level) {
    Names children;
    const std::size_t found = descend(cursor, count, children);
    if (found > children.size()) {
      break;
    }
    cursor.names_ = children;
    count = found;
  }
  cursor.groups_ = (count + width - 1) / width;
  for (std::size_t group = 0; group < cursor.groups_; ++group) {
    cursor.boxes_[group].clear();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Name name = cursor.names_[i];
    if (name == root()) { // has no box: everything
      for (int axis = 0; axis < 3; ++axis) {
        std::swap(cursor.boxes_[0].lo[axis][0], cursor.boxes_[0].hi[axis][0]);
      }
    } else {
      const std::size_t parent =
          offset_[(name >> level_shift) + 1] + (name & position_mask) / width;
      cursor.boxes_[i / width].copy(i % width, nodes_[parent], name % width);
    }
  }
}

// Entries of the nodes from which to search, the nearest last; moves the cursor when it is not
// around the query.
int Bvh::push_around(Cursor& cursor, const Query& query, float reach, Entry* stack) const {
  float offset = 0.0F;
  for (int axis = 0; axis < 3; ++axis) {
    offset = std::max(offset, std::abs(query.x[axis] - cursor.center_[axis]));
  }
  if (!(offset + reach <= cursor.half_)) {
    move(cursor, query, reach);
  }
  const LanesPoint x(query.x);
  alignas(16) float distance2[width];
  int count = 0;
  for (std::size_t group = 0; group < cursor.groups_; ++group) {
    const unsigned mask = cursor.boxes_[group].distances2(x, reach * reach, distance2);
    const Name* names = &cursor.names_[group * width];
    count = push(mask, distance2, stack, count, [names](Name k) { return names[k]; });
  }
  return count;
}

} // namespace isthmus::geometry
