// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

/// Coordinates one point after the other.
inline std::vector<double> random_points(int dimensions, int count, double low, double high,
                                         unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<double> points(static_cast<std::size_t>(count * dimensions));
  std::generate(points.begin(), points.end(), [&] { return draw(engine); });
  return points;
}
