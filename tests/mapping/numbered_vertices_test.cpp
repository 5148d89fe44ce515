// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/numbered_vertices.hpp"

#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using geometry::Ties;

namespace {

/// Vertices on a square grid of unit spacing, x first.
mesh::Mesh grid(int n) {
  std::vector<double> coordinates;
  for (int k = 0; k < n * n; ++k) {
    coordinates.insert(coordinates.end(), {double(k % n), double(k / n)});
  }
  return {"Grid", 2, coordinates, {}, {}};
}

/// The middles of its squares, likewise.
std::vector<double> middles(int n) {
  std::vector<double> points;
  for (int k = 0; k < n * n; ++k) {
    if (k % n < n - 1 && k / n < n - 1) {
      points.insert(points.end(), {k % n + 0.5, k / n + 0.5});
    }
  }
  return points;
}

} // namespace

TEST_CASE("of up to 16 vertices the first of the nearest ones is found") {
  std::mt19937 random(3);
  for (int n = 1; n <= 16; ++n) {
    std::vector<double> coordinates(static_cast<std::size_t>(3 * n));
    std::vector<double> queries(300);
    for (auto* list : {&coordinates, &queries}) {
      std::generate(list->begin(), list->end(), [&] { return double(random() % 4) / 2; });
    }
    std::vector<std::size_t> all(100);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<LocalIndex> ids(100, -1);
    NumberedVertices(3, coordinates).find(queries, all, ids);
    for (std::size_t q = 0; q < 100; ++q) {
      const auto away = [&](LocalIndex id) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double way = coordinates[3 * static_cast<std::size_t>(id) + k] - queries[3 * q + k];
          sum += way * way;
        }
        return sum;
      };
      LocalIndex first = 0;
      for (LocalIndex id = 1; id < n; ++id) {
        first = away(id) < away(first) ? id : first;
      }
      CHECK(ids[q] == first);
    }
  }
}

TEST_CASE("of equally near vertices those are found that a tree of Boost 1.74 finds") {
  // boost::geometry::index::rtree<…, rstar<16>> made of a range of the vertices, nearest(point, 1)
  const std::vector<LocalIndex> recorded{1,  1,  2,  4,  5,  5,  7,  8,  17, 17, 18, 20,
                                         15, 16, 17, 17, 25, 27, 29, 23, 23, 24, 25, 27,
                                         29, 30, 30, 31, 33, 33, 35, 37, 37, 38, 40, 40};
  const mesh::Mesh mesh = grid(7);
  CHECK(make_nearest_neighbor(mesh, Ties::by_number)->interpolate(middles(7)).columns == recorded);
  CHECK(make_nearest_projection(mesh, Outside::numbered_candidates)
            ->interpolate(middles(7))
            .columns == recorded);
  const Interpolation gradients =
      make_nearest_neighbor_gradient(mesh, Ties::by_number)->interpolate(middles(7));
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    CHECK(gradients.columns[3 * i] == recorded[i]);
    CHECK(gradients.weights[3 * i + 1] == i % 6 + 0.5 - recorded[i] % 7);
  }
  CHECK(make_nearest_neighbor(mesh)->interpolate(middles(7)).columns != recorded);
}

TEST_CASE("where no vertices are equally near, numbers decide nothing") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> coordinates(3000);
  std::vector<double> points(1500);
  for (auto* list : {&coordinates, &points}) {
    std::generate(list->begin(), list->end(), [&] { return uniform(random); });
  }
  const mesh::Mesh mesh("M", 3, coordinates, {}, {});
  CHECK(make_nearest_neighbor(mesh, Ties::by_number)->interpolate(points).columns ==
        make_nearest_neighbor(mesh, Ties::by_place)->interpolate(points).columns);
}
