// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/lanes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

namespace isthmus::geometry {

/// Implicit tree of boxes over items in curve order, eight children to a node: the foundation of
/// the indexes. Boxes are kept in single precision relative to the extent of all items; the search
/// allows for it, so that no item within reach is ever missed. Details smaller than 1e-7 of the
/// extent are told apart by the visitor only.
class Bvh {
 public:
  static constexpr std::size_t width = 8;

  /// A query in the coordinates of the boxes.
  struct Query {
    std::array<float, 3> x;
    float slack; // absolute error of box distances
  };
  class Cursor;

  Bvh() = default;
  /// Prepares for `items` boxes within `extent`; set_box all, then close().
  Bvh(const Box& extent, std::size_t items);
  void set_box(std::size_t item, const Box& box);
  void close();

  [[nodiscard]] Query query(const Point& point) const;
  /// A distance in the coordinates of the boxes that is not smaller than the root of `distance2`.
  [[nodiscard]] float reach(const Query& query, double distance2) const {
    constexpr double margin = 1.0 + 1e-6;
    const double reach = std::sqrt(distance2) * scale_ * margin + double{query.slack};
    return static_cast<float>(reach < far_reach ? reach : far_reach);
  }
  /// Successive queries of one cursor should be within this distance of each other.
  [[nodiscard]] double near() const { return near_; }
  [[nodiscard]] std::size_t bytes() const { return offset_[levels_] * sizeof(Node); }

  /// Calls `visit(item)`, near items first, for all whose box may lie within reach; the visitor
  /// returns the new reach. Queries that share a cursor should follow each other closely, see
  /// near().
  template <typename Visit>
  void search(Cursor& cursor, const Query& query, float reach, Visit&& visit) const;

 private:
  struct alignas(64) Node {
    float lo[3][width];
    float hi[3][width];
  };
  using Name = std::uint32_t;  // level in the upper bits, position in the level below
  using Entry = std::uint64_t; // bits of the squared distance above, name below: sorts by distance
  static constexpr double far_reach = 1e18; // more than any distance; its square is finite
  static constexpr int level_shift = 28;
  static constexpr int max_levels = 11;
  static constexpr Name position_mask = (Name{1} << level_shift) - 1;

  struct Place { // one point in all lanes
    Lanes axis[3];
  };
  static Place place(const Query& query) {
    return {{lanes(query.x[0]), lanes(query.x[1]), lanes(query.x[2])}};
  }
  static unsigned distances(const Node& node, const Place& x, float bound, float* distance2);
  static void make_empty(Node& node);
  static unsigned meets(const Node& node, const std::array<float, 3>& center, float half);
  template <typename NameOf>
  static int push(unsigned mask, const float* distance2, Entry* top, int count, NameOf name_of);
  static Entry entry_of(float distance2, Name name) {
    return Entry{std::bit_cast<std::uint32_t>(distance2)} << 32 | name;
  }
  [[nodiscard]] const Node& node(Name name) const {
    return nodes_[offset_[name >> level_shift] + (name & position_mask)];
  }
  static Name first_child(Name name) {
    return ((name >> level_shift) - 1) << level_shift |
           (name & position_mask) * static_cast<Name>(width);
  }
  [[nodiscard]] Name root() const { return static_cast<Name>(levels_ - 1) << level_shift; }
  static float longest_edge(const Node& node, std::size_t slot) {
    return std::max({node.hi[0][slot] - node.lo[0][slot], node.hi[1][slot] - node.lo[1][slot],
                     node.hi[2][slot] - node.lo[2][slot]});
  }
  [[nodiscard]] double mean_edge(int level) const;
  void copy_box(Name name, Node& to, std::size_t slot) const;
  float local_size(const Query& query) const;
  void move(Cursor& cursor, const Query& query, float reach) const;

  std::unique_ptr<Node[]> nodes_;
  std::array<std::size_t, max_levels + 1> offset_{}; // of the levels in nodes_, items' boxes first
  int levels_ = 0;
  Point center_{};
  double scale_ = 1.0;
  double near_ = 0.0;
};

/// The nodes around the last query of a sequence: where the search for the next one starts.
class Bvh::Cursor {
  friend class Bvh;
  static constexpr std::size_t most = 4 * width;

  std::array<float, 3> center_{};
  float half_ = -1.0F; // of the cube that the nodes below cover
  std::size_t groups_ = 0;
  std::array<Node, most / width> boxes_;
  std::array<Name, most> names_{};
};

// Squared distances of a place to the boxes of a node; returns the mask of those within the bound.
inline unsigned Bvh::distances(const Node& node, const Place& x, float bound, float* distance2) {
  unsigned mask = 0;
  for (std::size_t half = 0; half < width; half += 4) {
    Lanes sum{};
    for (int k = 0; k < 3; ++k) {
      const Lanes inside = min(max(x.axis[k], load(node.lo[k] + half)), load(node.hi[k] + half));
      sum += (x.axis[k] - inside) * (x.axis[k] - inside);
    }
    store(distance2 + half, sum);
    mask |= less_equal(sum, lanes(bound)) << half;
  }
  return mask;
}

// Adds entries for the children in the mask to those from `top` on, `count` of them so far, the
// nearest last; returns the new count. `name_of(k)` is the name of child k.
template <typename NameOf>
int Bvh::push(unsigned mask, const float* distance2, Entry* top, int count, NameOf name_of) {
  for (; mask != 0; mask &= mask - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(mask));
    const Entry entry = entry_of(distance2[k], name_of(k));
    int at = count++;
    for (; at > 0 && top[at - 1] < entry; --at) {
      top[at] = top[at - 1];
    }
    top[at] = entry;
  }
  return count;
}

template <typename Visit>
void Bvh::search(Cursor& cursor, const Query& query, float reach, Visit&& visit) const {
  if (levels_ == 0) {
    return;
  }
  float offset = 0.0F;
  for (int axis = 0; axis < 3; ++axis) {
    offset = std::max(offset, std::abs(query.x[axis] - cursor.center_[axis]));
  }
  if (!(offset + reach <= cursor.half_)) {
    move(cursor, query, reach);
  }
  std::array<Entry, Cursor::most + max_levels * width> stack;
  alignas(16) float distance2[width];
  const Place x = place(query);
  float bound = reach * reach;
  int size = 0;
  for (std::size_t group = 0; group < cursor.groups_; ++group) {
    const unsigned mask = distances(cursor.boxes_[group], x, bound, distance2);
    size = push(mask, distance2, stack.data(), size,
                [&](std::size_t k) { return cursor.names_[group * width + k]; });
  }
  Entry worst = entry_of(bound, ~Name{0});
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry > worst) {
      continue;
    }
    const auto name = static_cast<Name>(entry);
    const unsigned mask = distances(node(name), x, bound, distance2);
    if (name > position_mask) {
      const Name first = first_child(name);
      size += push(mask, distance2, &stack[size], 0,
                   [first](std::size_t k) { return first + static_cast<Name>(k); });
      continue;
    }
    std::array<Entry, width> near;
    const Name first = name * static_cast<Name>(width);
    for (int k = push(mask, distance2, near.data(), 0,
                      [first](std::size_t child) { return first + static_cast<Name>(child); });
         k-- > 0;) {
      if (near[k] <= worst) {
        const float now = visit(static_cast<std::size_t>(static_cast<Name>(near[k])));
        bound = now * now;
        worst = entry_of(bound, ~Name{0});
      }
    }
  }
}

} // namespace isthmus::geometry
