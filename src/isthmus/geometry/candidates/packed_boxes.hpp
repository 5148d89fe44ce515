// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace isthmus::geometry {

/// A tree of boxes that finds those nearest to a point. Which of equally near ones it finds follows
/// from their order: from the top down boxes are halved across the longest edge of the part, at
/// multiples of full nodes of 16; after Y. Garcia, M. Lopez, S. Leutenegger, A greedy algorithm for
/// bulk loading R-trees (1998), doi 10.1145/288692.288723, and N. Roussopoulos, S. Kelley,
/// F. Vincent, Nearest neighbor queries (1995), doi 10.1145/223784.223794. With the same order of
/// elements it finds what preCICE's tree finds. Nodes are divided when a search first comes to
/// them: for few points that costs little.
class PackedBoxes {
 public:
  explicit PackedBoxes(std::vector<Box> boxes);

  /// Numbers of the `count` nearest boxes, or of all if there are fewer, in no order.
  [[nodiscard]] std::vector<std::size_t> nearest(const Point& point, std::size_t count);

 private:
  using Entry = std::pair<Point, std::size_t>;  // middle and number of a box
  using Found = std::pair<double, std::size_t>; // squared distance and number

  struct Range { // of entries
    std::size_t first;
    std::size_t last;
  };

  /// Boxes below a full child of a node, and the fewest below any.
  struct Counts {
    std::size_t most = 1;
    std::size_t least = 1;
  };

  struct Node {
    Box box;
    Box part; // of space
    Range range;
    Counts counts;                       // most 1: a leaf
    std::vector<std::size_t> children{}; // empty: not divided yet
  };

  [[nodiscard]] static std::size_t first_part(std::size_t count, const Counts& counts);
  void divide(std::size_t node);
  void divide(Range range, const Box& part, const Counts& counts, std::size_t parent);
  void add_node(Range range, const Box& part, const Counts& counts);
  void search_leaf(const Node& leaf, const Point& point, std::size_t count,
                   std::vector<Found>& found) const;
  void search(std::size_t node, const Point& point, std::size_t count, std::vector<Found>& found);

  std::vector<Box> boxes_;
  std::vector<Entry> entries_;
  std::vector<Node> nodes_; // the root first
};

} // namespace isthmus::geometry
