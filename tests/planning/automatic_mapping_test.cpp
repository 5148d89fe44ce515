// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/automatic_mapping.hpp"
#include "isthmus/comm/comm.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using config::Constraint;
using config::MappingKind;
using protocol::Facts;

namespace {

config::Mapping automatic(Constraint constraint, bool gradients = false) {
  config::Mapping mapping;
  mapping.kind = MappingKind::automatic;
  mapping.constraint = constraint;
  mapping.from = "From";
  mapping.to = "To";
  mapping.gradients = gradients;
  return mapping;
}

} // namespace

TEST_CASE("meshes choose the kind of an automatic mapping") {
  const Facts bare{200, 0, 0, 0, 0};
  const Facts few{49, 0, 0, 0, 0};
  const Facts duplicates{200, 0, 0, 0, 3};
  const Facts lines{200, 199, 0, 0, 0};
  const Facts faces{200, 0, 300, 0, 0};
  const Facts solid{200, 0, 10, 500, 0};
  struct Case {
    int dimensions;
    Constraint constraint;
    Facts searched;
    Facts asking;
    MappingKind expected;
    std::string reason;
  };
  const auto keeps = Constraint::consistent;
  const auto sums = Constraint::conservative;
  using Kind = MappingKind;
  for (const Case& one : std::vector<Case>{
           {3, keeps, solid, bare, Kind::linear_cell_interpolation, "\"From\" has tetrahedra"},
           {2, keeps, faces, bare, Kind::linear_cell_interpolation, "\"From\" has triangles"},
           {3, keeps, faces, faces, Kind::nearest_projection, "\"From\" has triangles"},
           {3, keeps, lines, bare, Kind::nearest_projection, "\"From\" has edges"},
           {2, keeps, lines, lines, Kind::nearest_projection, "\"From\" has edges"},
           {3, keeps, bare, faces, Kind::rbf_pum_direct, "no elements, but 200 vertices"},
           {3, keeps, few, faces, Kind::nearest_neighbor, "no elements and only 49 vertices"},
           {3, keeps, duplicates, bare, Kind::nearest_neighbor, "3 of its 200 vertices are where"},
           {3, sums, faces, faces, Kind::intersection, "both meshes have triangles"},
           {2, sums, lines, lines, Kind::intersection, "both meshes have edges"},
           {3, sums, faces, bare, Kind::nearest_projection, "\"From\" not"},
           {3, sums, solid, solid, Kind::intersection, "both meshes have tetrahedra"},
           {2, sums, faces, faces, Kind::intersection, "both meshes have triangles"},
           {3, sums, solid, faces, Kind::linear_cell_interpolation, "\"To\" has tetrahedra"},
           {3, sums, bare, faces, Kind::rbf_pum_direct, "\"To\" has no elements"},
           {3, sums, few, faces, Kind::nearest_neighbor, "only 49"}}) {
    const auto choice =
        planning::choose(automatic(one.constraint), one.dimensions, one.searched, one.asking);
    CAPTURE(choice.reason);
    CHECK(choice.mapping.kind == one.expected);
    CHECK(choice.reason.find(one.reason) != std::string::npos);
    CHECK(choice.mapping.radial_basis.function.has_value() == choice.mapping.is_radial_basis());
  }
  const auto with_gradients = automatic(keeps, true);
  CHECK(planning::choose(with_gradients, 3, bare, bare).mapping.kind ==
        Kind::nearest_neighbor_gradient);
  CHECK(planning::choose(with_gradients, 3, faces, bare).mapping.kind == Kind::nearest_projection);
}

TEST_CASE("facts of a mesh are those of all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  mesh::Mesh mesh("Parts", 3);
  const double at = comm.rank();
  mesh.add_vertices(std::vector{at, 0.0, 0.0, at + 1, 0.0, 0.0, at, 1.0, 0.0, at, 0.0, 1.0});
  const Facts bare = planning::facts_of(comm, mesh);
  CHECK(bare.vertices == 4 * comm.size());
  CHECK(bare.duplicates == comm.size() - 1);
  if (comm.is_root()) {
    mesh.add_triangles(std::vector<LocalIndex>{0, 1, 2, 0, 1, 3});
    mesh.add_tetrahedra(std::vector<LocalIndex>{0, 1, 2, 3});
  }
  const Facts solid = planning::facts_of(comm, mesh);
  CHECK(solid.triangles == 2);
  CHECK(solid.tetrahedra == 1);
  CHECK(solid.edges == 0);
  CHECK(solid.duplicates == 0);
}
