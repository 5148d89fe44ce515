// SPDX-License-Identifier: BSD-3-Clause
// What a rank finds among candidates of the part of a mesh that it gets is what it would find in
// all of it, once its answers lie within the margin.
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"
#include "planning/two_sheets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace isthmus;

namespace {

/// Vertices and weights of the only point.
using Found = std::pair<std::vector<LocalIndex>, std::vector<double>>;

/// One vertex alone on its rank, which looks again as far as its last answer was away.
struct Search {
  Found found;
  double margin;
};

Search search(const mesh::Mesh& mesh, const std::vector<double>& point, double margin) {
  for (;;) {
    geometry::Box box;
    box.expand(geometry::point_at(mesh.dimensions(), point, 0));
    box.expand(margin);
    const transfer::Selection part = transfer::select(mesh, std::span(&box, 1), true);
    if (part.everything) {
      margin = 1e9;
    }
    std::vector<double> places;
    for (LocalIndex i = 0; i < part.num_vertices(mesh); ++i) {
      const auto vertex = mesh.vertex(part.vertex(i));
      places.insert(places.end(), vertex.begin(), vertex.end());
    }
    const mesh::Mesh received =
        part.everything ? mesh
                        : mesh::Mesh("Part", mesh.dimensions(), places, part.edges, part.triangles);
    const auto result = mapping::make_nearest_projection(received, mapping::Outside::candidates)
                            ->interpolate(point);
    const double needed = received.num_vertices() == 0
                              ? HUGE_VAL
                              : std::sqrt(std::max(result.distances2[0], result.needed2[0]));
    if (needed <= margin) {
      Found found{{}, result.weights};
      for (const LocalIndex column : result.columns) {
        found.first.push_back(part.vertex(column));
      }
      return {found, margin};
    }
    margin = std::isfinite(needed) ? needed * (1 + 1e-9) : 4 * margin;
  }
}

} // namespace

TEST_CASE("candidates of the part that a rank gets are those of the whole mesh") {
  std::mt19937_64 engine(4);
  for (const int dimensions : {2, 3}) {
    const mesh::Mesh mesh = sheets::two_sheets(dimensions, engine);
    const auto whole = mapping::make_nearest_projection(mesh, mapping::Outside::candidates);
    std::uniform_real_distribution<double> place(-0.2, 1.2);
    std::uniform_real_distribution<double> height(-0.15, 0.3);
    std::size_t different = 0;
    std::size_t on_parts = 0;
    for (int i = 0; i < 1500; ++i) {
      std::vector<double> point{place(engine), height(engine)};
      if (dimensions == 3) {
        point = {place(engine), place(engine), height(engine)};
      }
      const auto expected = whole->interpolate(point);
      const Search one = search(mesh, point, 0.001);
      different += one.found == Found(expected.columns, expected.weights) ? 0 : 1;
      on_parts += one.margin < 0.5 ? 1 : 0;
    }
    CHECK(different == 0);
    CHECK(on_parts > 1000);
  }
}
