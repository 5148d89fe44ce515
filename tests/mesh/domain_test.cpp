// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/measures.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus::mesh;

TEST_CASE("vertices share lengths, areas and volumes; elements given twice count once") {
  Mesh flat("Flat", 2);
  flat.add_vertices(std::vector{0., 0., 3., 0., 0., 4.});
  flat.add_triangles(std::vector<LocalIndex>{0, 1, 2, 2, 0, 1});
  CHECK(vertex_measures(flat, Domain::volume) == std::vector<double>{2, 2, 2});
  flat.add_edges(std::vector<LocalIndex>{1, 0});
  CHECK(vertex_measures(flat, Domain::surface) == std::vector<double>{3.5, 4, 4.5});

  Mesh solid("Solid", 3);
  solid.add_vertices(std::vector{0., 0., 0., 2., 0., 0., 0., 3., 0., 0., 0., 4.});
  solid.add_tetrahedra(std::vector<LocalIndex>{0, 1, 2, 3});
  CHECK(vertex_measures(solid, Domain::volume) == std::vector<double>{1, 1, 1, 1});
  solid.add_triangles(std::vector<LocalIndex>{0, 1, 2});
  const auto faces = vertex_measures(solid, Domain::surface);
  CHECK(faces[0] == doctest::Approx((3.0 + 4.0 + 6.0) / 3)); // three faces around the origin
  CHECK(vertex_measures(Mesh("None", 3), Domain::surface).empty());
}
