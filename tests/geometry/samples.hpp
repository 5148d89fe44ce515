// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "geometry/clouds.hpp"
#include "isthmus/geometry/box.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// Meshes on which points look for their place, and such points.
namespace samples {

using clouds::Coords;
using isthmus::LocalIndex;
using isthmus::geometry::Box;
using isthmus::geometry::Point;
using Ids = std::vector<LocalIndex>;

struct Sample {
  int dim;
  Coords coords;
  Ids edges;
  Ids triangles;

  [[nodiscard]] Point at(LocalIndex id) const {
    return isthmus::geometry::point_at(dim, coords, std::size_t(id));
  }
};

// Random places, many near the mesh; its vertices, and middles between them.
inline Coords queries_around(const Sample& mesh, std::size_t count, unsigned seed) {
  const auto dim = std::size_t(mesh.dim);
  const Box box = isthmus::geometry::bounding_box(mesh.dim, mesh.coords);
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(-0.3, 1.3);
  Coords queries;
  for (std::size_t i = 0; i < count; ++i) {
    const auto vertices = LocalIndex(mesh.coords.size() / dim);
    const Point a = mesh.at(LocalIndex(engine() % std::size_t(vertices)));
    const Point b = mesh.at(std::min(LocalIndex(engine() % 3 + 1), vertices - 1));
    for (std::size_t k = 0; k < dim; ++k) {
      const double edge = box.hi[k] - box.lo[k];
      const double places[] = {box.lo[k] + draw(engine) * edge, a[k] + 0.1 * draw(engine) * edge,
                               0.5 * (a[k] + b[k]), a[k], 30 * draw(engine) * edge};
      queries.push_back(places[i % 16 == 0 ? 4 : i % 4]);
    }
  }
  return queries;
}

inline Sample random_elements(int dim, std::size_t vertices, unsigned seed, bool rounded) {
  Sample mesh{dim, clouds::uniform(dim, vertices, seed, rounded ? 4.0 : 1.0), {}, {}};
  for (double& x : mesh.coords) {
    x = rounded ? std::floor(x) : x;
  }
  std::mt19937_64 engine(seed + 1);
  const auto any = [&] { return LocalIndex(engine() % vertices); };
  for (std::size_t i = 0; i < vertices; ++i) {
    mesh.triangles.insert(mesh.triangles.end(), {any(), any(), any()});
    if (i % 3 == 0) {
      mesh.edges.insert(mesh.edges.end(), {any(), any()});
    }
  }
  return mesh;
}

inline Sample sheet(int n, double amplitude, double jitter, double offset) {
  auto [coords, triangles] = clouds::sheet(n, amplitude);
  const Coords noise = clouds::uniform(3, coords.size() / 3, 5, jitter / n);
  for (std::size_t i = 0; i < coords.size(); ++i) {
    coords[i] += noise[i] + offset;
  }
  return {3, coords, {}, triangles};
}

} // namespace samples
