// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace isthmus::geometry {

/// Implicit tree of boxes over items in curve order, eight children to a node: the foundation of
/// the indexes. Boxes are kept in single precision relative to the extent of all items; the search
/// allows for it, so that no item within the bound is ever missed. Details smaller than 1e-7 of the
/// extent are told apart by the visitor only.
class Bvh {
 public:
  static constexpr std::size_t width = 8;

  /// A query in the coordinates of the boxes.
  struct Query {
    std::array<float, 3> x;
    float slack; // absolute error of box distances
  };

  Bvh() = default;
  /// Prepares for `items` boxes within `extent`; set_box all, then close().
  Bvh(const Box& extent, std::size_t items);
  void set_box(std::size_t item, const Box& box);
  void close();

  [[nodiscard]] Query query(const Point& point) const;
  /// Upper bound in the coordinates of the boxes for a squared distance.
  [[nodiscard]] float bound(const Query& query, double distance2) const;
  [[nodiscard]] std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

  /// Calls `visit(item)`, near items first, for all whose box may lie within the bound; the visitor
  /// returns the new bound (bound() of the largest distance of interest).
  template <typename Visit>
  void search(const Query& query, float bound, Visit&& visit) const;

 private:
  struct alignas(64) Node {
    float lo[3][width];
    float hi[3][width];
  };
  struct Entry {
    float distance2;
    std::uint32_t node; // level in the upper bits, position in the level below
  };
  static constexpr int level_shift = 28;
  static constexpr int max_levels = 11;
  using Distances = std::array<float, width>;

  static void distances(const Node& node, const Query& query, Distances& distance2);
  static int push(const Distances& distance2, float bound, std::uint32_t first, Entry* top);

  std::vector<Node> nodes_;
  std::array<std::size_t, max_levels + 1> offset_{}; // of the levels in nodes_, items' boxes first
  int levels_ = 0;
  std::size_t items_ = 0;
  Point center_{};
  double scale_ = 1.0;
};

inline void Bvh::distances(const Node& node, const Query& query, Distances& distance2) {
  for (std::size_t k = 0; k < width; ++k) {
    float sum = 0.0F;
    for (int axis = 0; axis < 3; ++axis) {
      const float below = node.lo[axis][k] - query.x[axis];
      const float above = query.x[axis] - node.hi[axis][k];
      float d = below > above ? below : above;
      d = d > 0.0F ? d : 0.0F;
      sum += d * d;
    }
    distance2[k] = sum;
  }
}

// Entries of the children within the bound, nearest last.
inline int Bvh::push(const Distances& distance2, float bound, std::uint32_t first, Entry* top) {
  int count = 0;
  for (std::size_t k = 0; k < width; ++k) {
    if (distance2[k] <= bound) {
      int at = count++;
      for (; at > 0 && top[at - 1].distance2 < distance2[k]; --at) {
        top[at] = top[at - 1];
      }
      top[at] = {distance2[k], first + static_cast<std::uint32_t>(k)};
    }
  }
  return count;
}

template <typename Visit>
void Bvh::search(const Query& query, float bound, Visit&& visit) const {
  if (levels_ == 0) {
    return;
  }
  constexpr std::uint32_t position_mask = (1U << level_shift) - 1;
  std::array<Entry, max_levels * width + 1> stack;
  stack[0] = {0.0F, static_cast<std::uint32_t>(levels_ - 1) << level_shift};
  Distances distance2;
  for (int size = 1; size > 0;) {
    const Entry entry = stack[--size];
    if (entry.distance2 > bound) {
      continue;
    }
    const std::uint32_t level = entry.node >> level_shift;
    const std::uint32_t position = entry.node & position_mask;
    distances(nodes_[offset_[level] + position], query, distance2);
    if (level > 0) {
      const std::uint32_t first = (level - 1) << level_shift | position * width;
      size += push(distance2, bound, first, &stack[size]);
      continue;
    }
    std::array<Entry, width> near;
    for (int k = push(distance2, bound, position * width, near.data()); k-- > 0;) {
      if (near[k].distance2 <= bound) {
        bound = visit(static_cast<std::size_t>(near[k].node));
      }
    }
  }
}

} // namespace isthmus::geometry
