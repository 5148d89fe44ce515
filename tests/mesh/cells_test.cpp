// SPDX-License-Identifier: BSD-3-Clause
// Sides and measures of cells.
#include "isthmus/mesh/measures.hpp"
#include "isthmus/mesh/sides.hpp"

#include <doctest/doctest.h>

#include <numeric>

using isthmus::LocalIndex;
using isthmus::mesh::Mesh;

namespace {

using Ids = std::vector<LocalIndex>;

/// A unit corner: the origin and a point on each axis, and one more beyond the slope.
Mesh corner() {
  Mesh mesh("Corner", 3);
  mesh.add_vertices(
      std::vector{0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 1.0, 2.0, 3.0});
  return mesh;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

TEST_CASE("sides of cells stand once, with those that were given") {
  Mesh mesh = corner();
  mesh.add_edges(Ids{4, 0, 1, 0});
  mesh.add_triangles(Ids{2, 1, 0});
  CHECK(isthmus::mesh::all_edges(mesh) == Ids{0, 1, 0, 2, 0, 4, 1, 2});
  CHECK(isthmus::mesh::all_triangles(mesh) == Ids{0, 1, 2});
  mesh.add_tetrahedra(Ids{3, 2, 1, 0, 1, 2, 3, 4});
  CHECK(isthmus::mesh::all_edges(mesh).size() == 2 * 10);
  CHECK(isthmus::mesh::all_triangles(mesh) ==
        Ids{0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3, 1, 2, 4, 1, 3, 4, 2, 3, 4});
}

TEST_CASE("vertices share the measure of the cells around them") {
  Mesh mesh = corner();
  CHECK(isthmus::mesh::surface_dimension(mesh) == 0);
  CHECK(sum(isthmus::mesh::vertex_measures(mesh, 0)) == 0);
  mesh.add_edges(Ids{0, 1, 0, 2});
  CHECK(isthmus::mesh::surface_dimension(mesh) == 1);
  CHECK(isthmus::mesh::vertex_measures(mesh, 1) == std::vector{1.5, 0.5, 1.0, 0.0, 0.0});
  mesh.add_triangles(Ids{0, 1, 2, 0, 3, 2});
  CHECK(isthmus::mesh::surface_dimension(mesh) == 2);
  CHECK(sum(isthmus::mesh::vertex_measures(mesh, 2)) == doctest::Approx(1 + 3));
  CHECK(isthmus::mesh::vertex_measures(mesh, 2)[3] == doctest::Approx(1));
  mesh.add_tetrahedra(Ids{3, 2, 1, 0});
  CHECK(isthmus::mesh::surface_dimension(mesh) == 2);
  CHECK(sum(isthmus::mesh::vertex_measures(mesh, 3)) == doctest::Approx(1));
}
