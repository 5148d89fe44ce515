// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/mesh/own_meshes.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using isthmus::LocalIndex;
using isthmus::mesh::Mesh;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

using Ids = std::vector<LocalIndex>;

/// Unit square, a point inside it and one on its first edge, in 3D if wanted.
Mesh square(int dimensions) {
  Mesh mesh("Square", dimensions);
  for (const auto& [x, y] : {std::pair(0.0, 0.0), std::pair(1.0, 0.0), std::pair(1.0, 1.0),
                             std::pair(0.0, 1.0), std::pair(0.5, 0.25), std::pair(0.5, 0.0)}) {
    mesh.add_vertices(dimensions == 2 ? std::vector{x, y} : std::vector{x, y, 7.0});
  }
  return mesh;
}

void check_refused(const std::function<void(Mesh&)>& work, const std::vector<std::string>& words) {
  Mesh mesh = square(3);
  const std::string error = isthmus::error_of([&] { work(mesh); });
  CAPTURE(error);
  for (const std::string& word : words) {
    CHECK(error.find(word) != std::string::npos);
  }
  CHECK(mesh.num_vertices() == 6);
  CHECK(mesh.edges().empty());
  CHECK(mesh.triangles().empty());
  CHECK(mesh.tetrahedra().empty());
}

} // namespace

TEST_CASE("vertices are numbered in the order in which they come") {
  Mesh mesh("M", 2);
  CHECK(mesh.num_vertices() == 0);
  CHECK(mesh.add_vertices(std::vector{1.0, 2.0, 3.0, 4.0}) == 0);
  CHECK(mesh.add_vertices(std::vector<double>{}) == 2);
  CHECK(mesh.add_vertices(std::vector{5.0, 6.0}) == 2);
  CHECK(mesh.num_vertices() == 3);
  CHECK(mesh.vertex(2)[0] == 5);
  CHECK(mesh.vertex(2)[1] == 6);
  CHECK(Mesh().num_vertices() == 0);
}

TEST_CASE("the coordinates of some vertices come in the order of the list") {
  Mesh mesh("M", 2);
  mesh.add_vertices(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  CHECK(coordinates_of(mesh, Ids{2, 0, 2}) == std::vector{5.0, 6.0, 1.0, 2.0, 5.0, 6.0});
  CHECK(coordinates_of(mesh, Ids{}).empty());
  CHECK(isthmus::mesh::coordinates_of(3, mesh.coordinates(), Ids{1}) == std::vector{4.0, 5.0, 6.0});
  CHECK(coordinates_of(Mesh(), Ids{}).empty());
}

TEST_CASE("elements collect and can be dropped") {
  Mesh mesh = square(3);
  CHECK(!mesh.has_connectivity());
  mesh.add_edges(Ids{0, 1, 1, 2});
  mesh.add_edges(Ids{});
  mesh.add_triangles(Ids{0, 1, 4});
  mesh.add_tetrahedra(Ids{0, 1, 2, 4});
  CHECK(mesh.has_connectivity());
  CHECK(mesh.edges().size() == 4);
  CHECK(mesh.triangles().size() == 3);
  CHECK(mesh.tetrahedra().size() == 4);
  mesh.drop_connectivity();
  CHECK(!mesh.has_connectivity());
  CHECK(mesh.num_vertices() == 6);
  mesh.clear();
  CHECK(mesh.num_vertices() == 0);
  CHECK(mesh.name() == "Square");
}

TEST_CASE("wrong vertices and elements are refused and change nothing") {
  const auto vertices = [](std::vector<double> x) { return [x](Mesh& m) { m.add_vertices(x); }; };
  const auto edges = [](Ids ids) { return [ids](Mesh& m) { m.add_edges(ids); }; };
  const auto triangles = [](Ids ids) { return [ids](Mesh& m) { m.add_triangles(ids); }; };
  const auto quads = [](Ids ids) { return [ids](Mesh& m) { m.add_quads(ids); }; };
  const auto tetrahedra = [](Ids ids) { return [ids](Mesh& m) { m.add_tetrahedra(ids); }; };
  check_refused(vertices({0, 0, 0, 1, not_a_number, 1}), {"\"Square\"", "y of vertex 1", "nan"});
  check_refused(vertices({0, 0, -infinity}), {"z of vertex 0", "-inf", "finite"});
  check_refused(edges({0, 1, 2}), {"3 vertex ids", "edges", "2 each"});
  check_refused(edges({0, 1, 0, 6}), {"vertex id 6", "edge 1", "0 to 5"});
  check_refused(edges({-1, 1}), {"vertex id -1", "edge 0"});
  check_refused(edges({3, 3}), {"edge 0", "vertex id 3 twice"});
  check_refused(triangles({0, 1}), {"2 vertex ids", "triangles", "3 each"});
  check_refused(triangles({0, 1, 2, 2, 1, 2}), {"triangle 1", "vertex id 2 twice"});
  check_refused(quads({0, 1, 2}), {"3 vertex ids", "quads", "4 each"});
  check_refused(quads({0, 1, 2, 9}), {"vertex id 9", "quad 0"});
  check_refused(quads({0, 1, 2, 0}), {"quad 0", "vertex id 0 twice"});
  check_refused(quads({0, 1, 2, 4}), {"quad 0", "0, 1, 2, 4", "not convex"});
  check_refused(quads({0, 1, 2, 3, 0, 1, 2, 4}), {"quad 1", "not convex"});
  check_refused(quads({0, 5, 1, 2}), {"quad 0", "0, 5, 1, 2", "degenerate"});
  check_refused(tetrahedra({0, 1, 2}), {"3 vertex ids", "tetrahedrons", "4 each"});
  check_refused(tetrahedra({0, 1, 2, 1}), {"tetrahedron 0", "vertex id 1 twice"});
}

TEST_CASE("tetrahedra need three dimensions") {
  Mesh mesh = square(2);
  CHECK_THROWS_WITH(mesh.add_tetrahedra(Ids{0, 1, 2, 3}),
                    "mesh \"Square\" has 2 dimensions; tetrahedra need 3");
}

TEST_CASE("quads are split along their shorter diagonal, whatever the order of corners") {
  for (const int dimensions : {2, 3}) {
    for (const auto& [first_is_shorter, crossed] :
         {std::pair(true, false), std::pair(false, false), std::pair(true, true)}) {
      Mesh mesh("Kite", dimensions);
      // the diagonals of this kite lie on the axes
      const double a = first_is_shorter ? 0.5 : 2;
      const std::vector<std::vector<double>> corners{{-a, 0}, {0, -1}, {a, 0}, {0, 1}};
      for (std::vector<double> corner : corners) {
        corner.resize(static_cast<std::size_t>(dimensions), 0.0);
        mesh.add_vertices(corner);
      }
      mesh.add_quads(crossed ? Ids{0, 2, 1, 3} : Ids{0, 1, 2, 3});
      REQUIRE(mesh.triangles().size() == 6);
      const Ids diagonal = first_is_shorter ? Ids{0, 2} : Ids{1, 3};
      std::vector<int> count(4, 0);
      for (const LocalIndex corner : mesh.triangles()) {
        ++count[static_cast<std::size_t>(corner)];
      }
      for (LocalIndex v = 0; v < 4; ++v) {
        const bool on_diagonal = v == diagonal[0] || v == diagonal[1];
        CHECK(count[static_cast<std::size_t>(v)] == (on_diagonal ? 2 : 1));
      }
    }
  }
}

TEST_CASE("an own mesh is found by its name, and one that is not there is named") {
  const Mesh one = square(2);
  const Mesh other("Other", 3);
  isthmus::mesh::OwnMeshes meshes;
  meshes.add(one);
  meshes.add(other);
  CHECK(&meshes.at("Square") == &one);
  CHECK(&meshes.at("Other") == &other);
  CHECK(isthmus::error_of([&] { static_cast<void>(meshes.at("Third")); }) ==
        "there is no own mesh \"Third\"");
}
