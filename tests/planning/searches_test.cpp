// SPDX-License-Identifier: BSD-3-Clause
// What a rank of the receiver finds, and how far it must look for it.
#include "isthmus/planning/search/searches.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/measures.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "mesh/three_on.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;
using config::Constraint;

TEST_CASE(
    "several ranks look as far as the meshes are apart, and farther where that is too little" *
    on_ranks(3)) {
  TwoParticipants both(1);
  const config::Mapping mapping = nearest_neighbor(false, config::Constraint::consistent);
  const protocol::MeshRelation relation = relation_of(mapping, false);
  const mesh::Mesh mesh = mesh::three_on(both.world.rank());
  const MeshExtent extent = extent_of(both.mine, {&mesh}, {}, true, false);
  Margin margin(both.connection, relation, extent, !both.provides, 0);
  CHECK_FALSE(margin.keeps());
  CHECK_FALSE(margin.unlimited());
  CHECK(margin.num_provided() == 3);
  CHECK(margin.value() >= 8 + 1); // from 2 to 10, and a vertex farther
  const double first = margin.value();
  CHECK_FALSE(margin.suffices(both.connection, both.provides ? 0 : 2 * first));
  CHECK(margin.value() >= 2 * first);
  CHECK(margin.suffices(both.connection, both.provides ? 0 : 2 * first));
}

TEST_CASE("own meshes are found by name") {
  const mesh::Mesh mesh = mesh::three_on(0);
  mesh::OwnMeshes meshes;
  meshes.add(mesh);
  CHECK(&meshes.at("N") == &mesh);
  CHECK_THROWS_AS(static_cast<void>(meshes.at("M")), Error);
}

TEST_CASE("uses that find the same share a search, and the farthest answer counts") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh own = mesh::three_on(comm.rank());
  const mesh::Mesh received("M", 2, {10.0 * comm.rank(), 0.5, 10.0 * comm.rank() + 5, 0}, {}, {});
  const config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
  protocol::MeshRelation relation = relation_of(mapping, true);
  relation.uses.push_back(relation.uses[0]);
  const NearestNeighbors mappings;
  Inputs inputs;
  inputs.meshes.add(own);
  inputs.mappings = &mappings;
  Searches searches(comm, relation, inputs);
  SearchMemory memory;
  searches.run(received, {}, &memory, nullptr);
  CHECK(searches.result(0).columns == std::vector<LocalIndex>{0, 0, 0});
  CHECK(&searches.result(0) == &searches.result(1));
  CHECK(searches.farthest_answer() == doctest::Approx(std::sqrt(4.25)));
  CHECK(searches.needed_vertices(received) == std::vector<GlobalIndex>{0});
  const std::vector<LocalIndex> nothing;
  Searches again(comm, relation, inputs);
  again.run(received, {}, &memory, &nothing);
  CHECK(again.are_as_before());
  const LocalIndex vertex = 1;
  mesh::Mesh changed = received;
  changed.move_vertices(std::span(&vertex, 1), std::vector<double>{10.0 * comm.rank() + 2, 0});
  const std::vector<LocalIndex> moved{vertex};
  again.run(changed, {}, &memory, &moved);
  CHECK_FALSE(again.are_as_before());
  const std::vector<LocalIndex> expected{0, 1, 1};
  CHECK(again.result(0).columns == expected);
  CHECK(again.take(0).columns == expected);
}

TEST_CASE("gathered vertices become ghosts, and their entries find the way back") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh own = mesh::three_on(comm.rank());
  const GatheredMesh all = gather_mesh(comm, own);
  REQUIRE(all.mesh.num_vertices() == 3 * comm.size());
  const int next = (comm.rank() + 1) % comm.size();
  CHECK(all.first[static_cast<std::size_t>(next)] == 3 * next);
  std::vector<LocalIndex> columns{3 * comm.rank() + 2, 3 * next + 1};
  OwnMeshGhosts ghosts = localize(comm, all, columns);
  CHECK(columns == std::vector<LocalIndex>{2, comm.size() == 1 ? 1 : 3});
  std::vector<double> values(3);
  std::iota(values.begin(), values.end(), 10.0 * comm.rank());
  std::vector<double> of_ghosts(ghosts.coordinates.size() / 2);
  REQUIRE(of_ghosts.size() == static_cast<std::size_t>(ghosts.halo.num_ghosts()));
  ghosts.halo.forward(comm, 1, values, of_ghosts);
  for (std::size_t i = 0; i < of_ghosts.size(); ++i) {
    CHECK(of_ghosts[i] == ghosts.coordinates[2 * i]); // a value is where it is
  }
  const std::vector<mapping::Entry> entries{{3 * next + 1, 5, 0.5}};
  const auto delivered = deliver(comm, all, entries);
  REQUIRE(delivered.size() == 1);
  CHECK(delivered[0].row == 1);
  CHECK(delivered[0].column == 5);
}

TEST_CASE("a gathered mapping that reads finds what the own vertices need") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const mesh::Mesh own = mesh::three_on(comm.rank());
  const mesh::Mesh received("M", 2, {10.0 * comm.rank() + 2, 0, -50, 0}, {}, {});
  const config::Mapping mapping = nearest_neighbor(false, Constraint::consistent);
  const auto found = find_gathered(comm, protocol::use_of(mapping, "M"), received,
                                   gather_mesh(comm, own), NearestNeighbors());
  CHECK(found.columns == std::vector<LocalIndex>{0, 0, 0});
}

TEST_CASE("each rank integrates its block of a mesh that all have") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<double> measures(10);
  std::iota(measures.begin(), measures.end(), 1.0);
  const std::vector<double> places(20, 0.0);
  const mesh::Mesh received("M", 2, places, {}, {});
  const config::Mapping mapping = nearest_neighbor(false, Constraint::scaled_consistent_surface);
  const protocol::MeshRelation relation = relation_of(mapping, false);
  const Inputs inputs;
  Searches searches(comm, relation, inputs);
  std::vector<double> share = only_at(searches.share(received), measures);
  comm::allreduce(comm, std::span(share), comm::Op::sum);
  CHECK(share == measures);
  searches.set_share(std::vector<LocalIndex>{2, 3}); // beside others
  CHECK(only_at(searches.share(received), measures) ==
        std::vector<double>{0, 0, 3, 4, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("integrals are the lengths around the vertices, and need elements") {
  const comm::Comm comm(MPI_COMM_WORLD);
  mesh::Mesh own = mesh::three_on(comm.rank());
  own.add_edges(std::vector<LocalIndex>{0, 1, 1, 2});
  const config::Mapping mapping = nearest_neighbor(false, Constraint::scaled_consistent_surface);
  const protocol::MeshRelation relation = relation_of(mapping, false);
  const protocol::MappingUse& use = relation.uses[0];
  const Measures measures = measure(comm, relation, own);
  CHECK(measures.of(Weighing::surface).total == doctest::Approx(2.0 * comm.size()));
  CHECK(measures.of(Weighing::volume).vertices.empty());
  CHECK(measures.of(Weighing::action).vertices.empty());
  const Integrals integrals = integrals_of(comm, use, own, measures.of(Weighing::surface), own);
  CHECK(integrals.own == std::vector<double>{0.5, 1, 0.5});
  CHECK(integrals.received == integrals.own);
  const mesh::Mesh bare = mesh::three_on(comm.rank());
  const Measures none = measure(comm, relation, bare);
  CHECK_THROWS_AS(static_cast<void>(integrals_of(comm, use, bare, none.of(Weighing::surface), own)),
                  Error);
  CHECK_THROWS_AS(
      static_cast<void>(integrals_of(comm, use, own, measures.of(Weighing::surface), bare)), Error);
}

TEST_CASE("a scaled mapping keeps the integral") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const config::Mapping mapping = nearest_neighbor(false, Constraint::scaled_consistent_surface);
  const auto use = protocol::use_of(mapping, "M");
  PlannedMapping planned;
  planned.use = &use;
  const std::vector<LocalIndex> counts{1, 1};
  planned.rows = mapping::Rows(counts, {0, 0}, {1, 1});
  planned.from_measures = {3};
  planned.to_measures = {0.5, 0.5};
  CHECK(planned.is_collective());
  std::vector<double> out(2);
  planned.apply(comm, 1, std::vector<double>{2.0 + comm.rank()}, out);
  double sum = 0.5 * (out[0] + out[1]);
  double expected = 3 * (2.0 + comm.rank());
  sum = comm::allreduce(comm, sum, comm::Op::sum);
  expected = comm::allreduce(comm, expected, comm::Op::sum);
  CHECK(sum == doctest::Approx(expected));
}
