// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/point_blocks.hpp"

#include "isthmus/geometry/morton.hpp"

#include <algorithm>

namespace isthmus::mapping {

namespace {
constexpr std::size_t block_size = 64;
} // namespace

PointBlocks::PointBlocks(int dimensions, std::span<const double> points,
                         std::span<const double> distances2)
    : dimensions_(dimensions),
      order_(geometry::curve_order(dimensions, points)),
      positions_(order_.size()),
      blocks_((order_.size() + block_size - 1) / block_size) {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    positions_[static_cast<std::size_t>(order_[k])] = static_cast<LocalIndex>(k);
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    measure(b, points, distances2);
  }
}

std::span<const LocalIndex> PointBlocks::points_of(std::size_t block) const {
  const std::size_t first = block * block_size;
  return std::span(order_).subspan(first, std::min(block_size, order_.size() - first));
}

std::size_t PointBlocks::block_of(LocalIndex point) const {
  return static_cast<std::size_t>(position_of(point)) / block_size;
}

void PointBlocks::measure(std::size_t block, std::span<const double> points,
                          std::span<const double> distances2) {
  geometry::Box box;
  Block& measured = blocks_[block];
  measured.farthest2 = 0;
  for (const LocalIndex point : points_of(block)) {
    const auto i = static_cast<std::size_t>(point);
    box.expand(geometry::point_at(dimensions_, points, i));
    measured.farthest2 = std::max(measured.farthest2, distances2[i]);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    measured.centre[d] = 0.5 * (box.lo[d] + box.hi[d]);
  }
  measured.radius = 0.5 * box.diagonal();
}

} // namespace isthmus::mapping
