// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/moving_nearest.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>

using namespace isthmus;
using geometry::Ties;

namespace {

using Coordinates = std::vector<double>;

/// Moves each of some places with a probability; returns which.
std::vector<LocalIndex> moved(Coordinates& places, int dimensions, double share,
                              std::mt19937& random, bool on_grid) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<LocalIndex> which;
  for (int i = 0; i < static_cast<int>(places.size()) / dimensions; ++i) {
    if (uniform(random) < share) {
      which.push_back(i);
      for (int d = 0; d < dimensions; ++d) {
        const double x = uniform(random);
        places[static_cast<std::size_t>(i * dimensions + d)] = on_grid ? std::floor(8 * x) : x;
      }
    }
  }
  return which;
}

} // namespace

TEST_CASE("nearest vertices of points, both moving, are those of a new search") {
  std::mt19937 random(7);
  for (const int dimensions : {2, 3}) {
    for (const bool on_grid : {false, true}) { // many equal distances
      for (const auto& [share, ties] :
           std::vector<std::pair<double, Ties>>{{0.0, Ties::by_place},
                                                {0.01, Ties::by_place},
                                                {0.1, Ties::by_place},
                                                {0.6, Ties::by_place},
                                                {0.01, Ties::by_number},
                                                {0.1, Ties::by_number}}) {
        const auto dim = static_cast<std::size_t>(dimensions);
        Coordinates vertices(300 * dim);
        Coordinates points(500 * dim);
        moved(vertices, dimensions, 1, random, on_grid);
        moved(points, dimensions, 1, random, on_grid);
        mapping::MovingNearest nearest(dimensions, vertices, points, ties);
        for (int step = 0; step < 6; ++step) {
          CAPTURE(dimensions);
          CAPTURE(on_grid);
          CAPTURE(share);
          CAPTURE(ties == Ties::by_number);
          CAPTURE(step);
          const auto of_vertices = moved(vertices, dimensions, share, random, on_grid);
          const auto of_points = moved(points, dimensions, step % 2 * share, random, on_grid);
          nearest.update(vertices, of_vertices, points, of_points);
          const mesh::Mesh mesh("M", dimensions, vertices, {}, {});
          const auto fresh = mapping::make_nearest_neighbor(mesh, ties)->interpolate(points);
          CHECK(nearest.result().columns == fresh.columns);
          CHECK(nearest.result().distances2 == fresh.distances2);
        }
      }
    }
  }
}
