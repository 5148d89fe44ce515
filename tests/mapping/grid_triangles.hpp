// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <vector>

/// Two triangles for each cell of n x n points, row by row.
inline std::vector<isthmus::LocalIndex> grid_triangles(int n) {
  std::vector<isthmus::LocalIndex> triangles;
  for (int j = 0; j + 1 < n; ++j) {
    for (int i = 0; i + 1 < n; ++i) {
      const isthmus::LocalIndex a = j * n + i;
      triangles.insert(triangles.end(), {a, a + 1, a + n, a + 1, a + n + 1, a + n});
    }
  }
  return triangles;
}
