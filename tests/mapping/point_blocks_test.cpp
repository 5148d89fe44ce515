// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/point_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace isthmus;
using mapping::PointBlocks;

TEST_CASE("every point is in one block, whose ball holds it and whose answer is not nearer") {
  constexpr std::size_t count = 300;
  for (const int dimensions : {2, 3}) {
    std::vector<double> points;
    std::vector<double> distances2;
    for (std::size_t i = 0; i < count; ++i) {
      for (int d = 0; d < dimensions; ++d) {
        points.push_back(std::sin(static_cast<double>(7 * i + 3) * (d + 1)));
      }
      distances2.push_back(0.5 + 0.5 * std::cos(static_cast<double>(i)));
    }
    PointBlocks blocks(dimensions, points, distances2);
    points[0] = 9; // of point 0, which moves away and finds something near
    distances2[0] = 0;
    blocks.measure(blocks.block_of(0), points, distances2);
    std::vector<int> seen(count);
    LocalIndex position = 0;
    for (std::size_t b = 0; b < blocks.blocks().size(); ++b) {
      const PointBlocks::Block& block = blocks.blocks()[b];
      double farthest2 = 0;
      for (const LocalIndex point : blocks.points_of(b)) {
        ++seen[static_cast<std::size_t>(point)];
        CHECK(blocks.block_of(point) == b);
        CHECK(blocks.position_of(point) == position++);
        double distance2 = 0;
        for (int d = 0; d < dimensions; ++d) {
          const auto axis = static_cast<std::size_t>(d);
          const double off = points[static_cast<std::size_t>(point * dimensions + d)];
          distance2 += (off - block.centre[axis]) * (off - block.centre[axis]);
        }
        CHECK(std::sqrt(distance2) <= block.radius * (1 + 1e-12));
        farthest2 = std::max(farthest2, distances2[static_cast<std::size_t>(point)]);
      }
      CHECK(block.farthest2 == farthest2);
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == count);
  }
}
