// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/bvh.hpp"

#include "isthmus/base/error.hpp"

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

// Beyond this many extents the distances of single boxes cannot be told apart.
constexpr double far_away = 1e6;

// Searches start at nodes of this level, 8^3 items each.
constexpr std::uint32_t near_level = 2;

// Positions on a level must fit below the level in an Entry, children included.
constexpr std::size_t max_items = std::size_t{1} << 30;

} // namespace

Bvh::Bvh(const Box& extent, std::size_t items) {
  check(items <= max_items, "a spatial index holds at most {} items, not {}", max_items, items);
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
  nodes_ = std::make_unique_for_overwrite<Node[]>(total);
  for (int level = 0; level < levels_; ++level) { // their last nodes may be partly used
    make_empty(nodes_[offset_[level + 1] - 1]);
  }
}

void Bvh::make_empty(Node& node) {
  for (int axis = 0; axis < 3; ++axis) {
    std::fill_n(node.lo[axis], width, nowhere);
    std::fill_n(node.hi[axis], width, -nowhere);
  }
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
      const float edge = longest_edge(nodes_[i], k);
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

// The box that the parent keeps for a node; the root has none and contains everything.
void Bvh::copy_box(Name name, Node& to, std::size_t slot) const {
  const Name level = name >> level_shift;
  const Name position = name & position_mask;
  for (int axis = 0; axis < 3; ++axis) {
    if (name == root()) {
      to.lo[axis][slot] = -nowhere;
      to.hi[axis][slot] = nowhere;
    } else {
      const Node& parent = nodes_[offset_[level + 1] + position / width];
      to.lo[axis][slot] = parent.lo[axis][position % width];
      to.hi[axis][slot] = parent.hi[axis][position % width];
    }
  }
}

// Longest edge of the box of a node of some hundred items near the query.
float Bvh::local_size(const Query& query) const {
  Name name = root();
  float size = nowhere;
  while (name >> level_shift > near_level) {
    const Node& from = node(name);
    alignas(16) float distance2[width];
    distances(from, place(query), nowhere, distance2);
    const auto k =
        static_cast<std::size_t>(std::min_element(distance2, distance2 + width) - distance2);
    size = longest_edge(from, k);
    name = first_child(name) + static_cast<Name>(k);
  }
  return size;
}

// Mask of the children that meet the cube.
unsigned Bvh::meets(const Node& node, const std::array<float, 3>& center, float half) {
  unsigned mask = 0;
  for (std::size_t k = 0; k < width; k += 4) {
    unsigned part = ~0U;
    for (int axis = 0; axis < 3; ++axis) {
      part &= less_equal(load(node.lo[axis] + k), lanes(center[axis] + half));
      part &= less_equal(lanes(center[axis] - half), load(node.hi[axis] + k));
    }
    mask |= part << k;
  }
  return mask;
}

// Chooses a cube around the query and the few nodes that meet it.
void Bvh::move(Cursor& cursor, const Query& query, float reach) const {
  cursor.center_ = query.x;
  cursor.half_ = std::min(2.0F * reach + 0.5F * local_size(query), largest);
  std::array<Name, Cursor::most> names{root()};
  std::size_t count = 1;
  while (count > 0 && names[0] >> level_shift > near_level) {
    std::array<Name, Cursor::most> children;
    std::size_t found = 0;
    bool few = true;
    for (std::size_t i = 0; i < count && few; ++i) {
      for (unsigned mask = meets(node(names[i]), cursor.center_, cursor.half_); mask != 0 && few;
           mask &= mask - 1) {
        few = found < children.size();
        if (few) {
          children[found++] = first_child(names[i]) + static_cast<Name>(std::countr_zero(mask));
        }
      }
    }
    if (!few) {
      break;
    }
    names = children;
    count = found;
  }
  cursor.groups_ = (count + width - 1) / width;
  if (cursor.groups_ > 0) {
    make_empty(cursor.boxes_[cursor.groups_ - 1]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    cursor.names_[i] = names[i];
    copy_box(names[i], cursor.boxes_[i / width], i % width);
  }
}

} // namespace isthmus::geometry
