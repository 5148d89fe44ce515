// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/search/eight_boxes.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

namespace isthmus::geometry {

/// Implicit tree of boxes over packed items (packing.hpp), eight children to a node: the foundation
/// of the indexes. Boxes are kept in single precision relative to the extent of all items; the
/// search allows for it, so that no item within reach is ever missed. Details smaller than 1e-7 of
/// the extent are distinguished by the visitor only.
class Bvh {
  using Name = std::uint32_t; // of a node: level in the upper bits, position in the level below
  static constexpr std::size_t most_around = 4 * EightBoxes::width;

 public:
  static constexpr std::size_t width = EightBoxes::width;

  /// A query in the coordinates of the boxes.
  struct Query {
    std::array<float, 3> x;
    float slack; // absolute error of box distances
  };

  /// The nodes around the last query of a sequence: where the search for the next one starts.
  class Cursor {
    friend class Bvh;
    std::array<float, 3> center_{};
    float half_ = -1.0F; // half edge of the cube that the nodes below cover
    std::size_t groups_ = 0;
    std::array<EightBoxes, most_around / width> boxes_;
    std::array<Name, most_around> names_;
  };

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
  [[nodiscard]] std::size_t bytes() const { return offset_[levels_] * sizeof(EightBoxes); }

  /// Calls `visit(item)`, near items first, for all whose box may lie within reach; the visitor
  /// returns the new reach, which must not be larger.
  template <typename Visit>
  void search(Cursor& cursor, const Query& query, float reach, Visit&& visit) const;

 private:
  using Names = std::array<Name, most_around>;
  using Entry = std::uint64_t; // bits of a squared distance above, a name below: sorts by distance
  static constexpr double far_reach = 1e18; // more than any distance; its square is finite
  static constexpr int level_shift = 28;
  static constexpr int max_levels = 11;
  static constexpr Name position_mask = (Name{1} << level_shift) - 1;

  static Entry entry_of(float distance2, Name name) {
    return Entry{std::bit_cast<std::uint32_t>(distance2)} << 32 | name;
  }
  template <typename NameOf>
  static int push(unsigned mask, const float* distance2, Entry* top, int count, NameOf name_of);

  [[nodiscard]] const EightBoxes& node(Name name) const {
    return nodes_[offset_[name >> level_shift] + (name & position_mask)];
  }
  static Name first_child(Name name) {
    return ((name >> level_shift) - 1) << level_shift |
           (name & position_mask) * static_cast<Name>(width);
  }
  [[nodiscard]] Name root() const { return static_cast<Name>(levels_ - 1) << level_shift; }

  [[nodiscard]] double mean_edge(int level) const;
  [[nodiscard]] float local_size(const Query& query) const;
  std::size_t descend(const Cursor& cursor, std::size_t count, Names& children) const;
  void move(Cursor& cursor, const Query& query, float reach) const;
  int push_around(Cursor& cursor, const Query& query, float reach, Entry* stack) const;

  std::unique_ptr<EightBoxes[]> nodes_;
  std::array<std::size_t, max_levels + 1> offset_{}; // of the levels in nodes_, items' boxes first
  int levels_ = 0;
  Point center_{};
  double scale_ = 1.0;
  double near_ = 0.0;
};

// Adds entries for the children in the mask to the `count` entries from `top` on, the nearest last;
// returns the new count. `name_of(k)` is the name of child k.
template <typename NameOf>
int Bvh::push(unsigned mask, const float* distance2, Entry* top, int count, NameOf name_of) {
  for (; mask != 0; mask &= mask - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(mask));
    const Entry entry = entry_of(distance2[k], name_of(static_cast<Name>(k)));
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
  std::array<Entry, most_around + max_levels * width> stack;
  std::array<Entry, width> items;
  alignas(16) float distance2[width];
  const LanesPoint x(query.x);
  float bound = reach * reach;
  Entry worst = entry_of(bound, ~Name{0});
  for (int size = push_around(cursor, query, reach, stack.data()); size > 0;) {
    const Entry entry = stack[--size];
    if (entry > worst) {
      continue;
    }
    const auto name = static_cast<Name>(entry);
    const unsigned mask = node(name).distances2(x, bound, distance2);
    if (name > position_mask) {
      const Name first = first_child(name);
      size += push(mask, distance2, &stack[size], 0, [first](Name k) { return first + k; });
      continue;
    }
    const Name first = name * static_cast<Name>(width);
    int count = push(mask, distance2, items.data(), 0, [first](Name k) { return first + k; });
    while (count > 0 && items[--count] <= worst) {
      reach = visit(static_cast<std::size_t>(static_cast<Name>(items[count])));
      bound = reach * reach;
      worst = entry_of(bound, ~Name{0});
    }
  }
}

} // namespace isthmus::geometry
