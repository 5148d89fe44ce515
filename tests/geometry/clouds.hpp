// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace clouds {

using isthmus::LocalIndex;
using Coords = std::vector<double>;

inline Coords uniform(int dim, std::size_t n, unsigned seed, double scale = 1.0) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(0.0, scale);
  Coords coords(n * static_cast<std::size_t>(dim));
  std::generate(coords.begin(), coords.end(), [&] { return draw(engine); });
  return coords;
}

/// n^dim points of an integer grid: many equal distances.
inline Coords grid(int dim, int n) {
  Coords coords;
  for (int k = 0; k < (dim == 3 ? n : 1); ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        coords.insert(coords.end(), {double(i), double(j)});
        if (dim == 3) {
          coords.push_back(k);
        }
      }
    }
  }
  return coords;
}

struct Surface {
  Coords coords;
  std::vector<LocalIndex> triangles;
};

/// n by n vertices of a sheet over the unit square, waves of height `amplitude`.
inline Surface sheet(int n, double amplitude) {
  Surface s;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double x = double(i) / (n - 1);
      const double y = double(j) / (n - 1);
      s.coords.insert(s.coords.end(), {x, y, amplitude * std::sin(9.0 * x) * std::cos(7.0 * y)});
    }
  }
  for (int j = 0; j + 1 < n; ++j) {
    for (int i = 0; i + 1 < n; ++i) {
      const LocalIndex a = j * n + i;
      s.triangles.insert(s.triangles.end(), {a, a + 1, a + n, a + n, a + 1, a + n + 1});
    }
  }
  return s;
}

inline std::vector<LocalIndex> shuffled(std::size_t n, unsigned seed) {
  std::vector<LocalIndex> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

/// Entries order[0], order[1], … of groups of `width` numbers.
template <typename T>
std::vector<T> permuted(const std::vector<T>& values, int width,
                        const std::vector<LocalIndex>& order) {
  std::vector<T> result;
  for (const LocalIndex i : order) {
    result.insert(result.end(), values.begin() + i * width, values.begin() + (i + 1) * width);
  }
  return result;
}

} // namespace clouds
