// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace sheets {

/// Two sheets that are close to each other here and there, a line and some vertices.
inline isthmus::mesh::Mesh two_sheets(int dimensions, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> noise(-0.04, 0.04);
  isthmus::mesh::Mesh mesh("Mesh", dimensions);
  const int n = dimensions == 3 ? 12 : 60;
  for (int sheet = 0; sheet < 2; ++sheet) {
    const isthmus::LocalIndex first = mesh.num_vertices();
    for (int j = 0; j < (dimensions == 3 ? n : 1); ++j) {
      for (int i = 0; i < n; ++i) {
        const double x = double(i) / n + noise(engine);
        const double y = double(j) / n + noise(engine);
        const double height = 0.1 * sheet + 0.1 * std::sin(9 * x) * std::cos(7 * y);
        mesh.add_vertices(dimensions == 3 ? std::vector{x, y, height} : std::vector{x, height});
      }
    }
    for (isthmus::LocalIndex i = 0; i + 1 < n; ++i) {
      for (isthmus::LocalIndex j = 0; dimensions == 3 && j + 1 < n; ++j) {
        const isthmus::LocalIndex a = first + j * n + i;
        mesh.add_triangles(std::vector{a, a + 1, a + n, a + n, a + 1, a + n + 1});
      }
      if (dimensions == 2) {
        mesh.add_edges(std::vector{first + i, first + i + 1});
      }
    }
  }
  const isthmus::LocalIndex first = mesh.num_vertices();
  std::uniform_real_distribution<double> anywhere(0, 1);
  for (isthmus::LocalIndex i = 0; i < 12; ++i) {
    std::vector<double> place(static_cast<std::size_t>(dimensions));
    std::generate(place.begin(), place.end(), [&] { return anywhere(engine); });
    mesh.add_vertices(place);
    if (i % 3 == 2) {
      mesh.add_edges(std::vector{first + i, first + i - 1});
    }
  }
  return mesh;
}

} // namespace sheets
