// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/candidates/packed_boxes.hpp"
#include "isthmus/geometry/search/element_tree.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace isthmus::geometry {

/// The triangles, all edges or all vertices of a mesh in the order of their numbers, each once,
/// with the tree that preCICE makes of them. It is made as far as searches need it: mostly none
/// does.
class NumberedBoxes {
 public:
  /// `corners` 3, 2 or 1. `elements` must outlive this.
  NumberedBoxes(const ElementTree& elements, int corners)
      : elements_(elements), corners_(corners) {}

  /// Those that preCICE finds of the `count` nearest boxes, or all if there are fewer; corners in
  /// ascending order. Several threads may ask.
  [[nodiscard]] std::vector<Element> nearest(const Point& query, std::size_t count);

 private:
  void make();

  const ElementTree& elements_;
  int corners_;
  std::mutex one_at_a_time_;
  std::vector<Element> ordered_;
  std::unique_ptr<PackedBoxes> boxes_; // null: not made yet
};

} // namespace isthmus::geometry
