// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::mapping {

/// Points in blocks of neighbours, along a space-filling curve; of each block a ball around it and
/// the farthest answer of a search for any of its points.
class PointBlocks {
 public:
  struct Block {
    geometry::Point centre;
    double radius = 0;    // of the points around it
    double farthest2 = 0; // answer of any of them
  };

  PointBlocks() = default;
  /// Interleaved coordinates; the square of the distance of each point to its answer.
  PointBlocks(int dimensions, std::span<const double> points, std::span<const double> distances2);

  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }
  /// Of a block; positions along the curve ascend.
  [[nodiscard]] std::span<const LocalIndex> points_of(std::size_t block) const;
  /// Of a point.
  [[nodiscard]] std::size_t block_of(LocalIndex point) const;
  /// Along the curve.
  [[nodiscard]] LocalIndex position_of(LocalIndex point) const {
    return positions_[static_cast<std::size_t>(point)];
  }

  /// After points of the block or their answers have moved.
  void measure(std::size_t block, std::span<const double> points,
               std::span<const double> distances2);

 private:
  int dimensions_ = 3;
  std::vector<LocalIndex> order_; // of the points, block by block
  std::vector<LocalIndex> positions_;
  std::vector<Block> blocks_;
};

} // namespace isthmus::mapping
