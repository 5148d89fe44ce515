// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"

#include <cstddef>
#include <random>
#include <vector>

/// Points in the unit cube.
inline std::vector<isthmus::geometry::Point> draw(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<isthmus::geometry::Point> points(count);
  for (isthmus::geometry::Point& point : points) {
    point = {uniform(engine), uniform(engine), uniform(engine)};
  }
  return points;
}
