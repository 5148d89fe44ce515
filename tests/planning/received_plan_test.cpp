// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/received_plan.hpp"

#include "isthmus/planning/parts.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/planning/route.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::planning;

namespace {

/// Three vertices of rank 4, two of rank 7, of which nothing is read, and three of rank 9.
const std::vector<transfer::Part> parts{{4, 0, 0, 3}, {7, 1, 3, 2}, {9, 2, 5, 3}};
const std::vector<char> needed{0, 1, 1, 0, 0, 1, 0, 1};

PlannedMapping copying(std::vector<LocalIndex> columns, const protocol::MappingUse& use) {
  PlannedMapping mapping;
  mapping.use = &use;
  const std::vector<LocalIndex> counts(columns.size(), 1);
  const std::vector<double> weights(columns.size(), 1.0);
  mapping.rows = mapping::Rows(counts, std::move(columns), weights);
  return mapping;
}

} // namespace

TEST_CASE("ghosts are numbered by part, so that those of one rank follow each other") {
  const Ghosts ghosts = number_ghosts(parts, needed);
  CHECK(ghosts.count == 4);
  CHECK(ghosts.of_vertex == std::vector<LocalIndex>{-1, 0, 1, -1, -1, 2, -1, 3});
  CHECK(ghosts.positions == std::vector<std::vector<LocalIndex>>{{1, 2}, {}, {0, 2}});
  const std::vector<Route> routes = routes_of(parts, ghosts.positions);
  REQUIRE(routes.size() == 2);
  CHECK(routes[0].link == 0);
  CHECK(routes[0].first == 0);
  CHECK(routes[0].count == 2);
  CHECK(routes[1].link == 2);
  CHECK(routes[1].first == 2);
  CHECK(routes[1].count == 2);
}

TEST_CASE("a mapping reads ghosts in place of received vertices") {
  const protocol::MappingUse use;
  PlannedMapping mapping = copying({7, 1, 1, 5}, use);
  mapping.from_measures = {10, 11, 12, 13, 14, 15, 16, 17};
  const Ghosts ghosts = number_ghosts(parts, needed);
  read_ghosts(ghosts, mapping);
  CHECK(mapping.from_measures == std::vector<double>{11, 12, 15, 17});
  std::vector<double> out(4);
  mapping.rows.apply(1, mapping.from_measures, out); // the value of a ghost is that of its vertex
  CHECK(out == std::vector<double>{17, 11, 11, 15});
}

TEST_CASE("a plan is corrected as long as the same vertices are needed") {
  const protocol::MappingUse use;
  std::vector<PlannedMapping> mappings;
  mappings.push_back(copying({1, 1, 2, 5, 7}, use));
  const Ghosts ghosts = number_ghosts(parts, needed);
  read_ghosts(ghosts, mappings[0]);
  using Changes = std::vector<mapping::MovingNearest::Change>;
  const auto fits = [&](const Changes& changes) {
    const Changes* const all[] = {&changes};
    return GhostUsers(ghosts, mappings).update(all);
  };
  CHECK(fits({}));
  CHECK(fits({{0, 1, 5}}));            // another row still takes 1
  CHECK_FALSE(fits({{2, 2, 5}}));      // nobody takes 2 any more
  CHECK(fits({{2, 2, 5}, {0, 1, 2}})); // but another row does
  CHECK_FALSE(fits({{0, 1, 6}}));      // which is no ghost
  CHECK(GhostUsers(ghosts, mappings).ghost(7) == 3);
}

TEST_CASE("a held mesh has the vertices that are read or written, and the elements between them") {
  mesh::Mesh transferred("M", 2);
  for (int v = 0; v < 8; ++v) {
    transferred.add_vertices(std::vector<double>{1.0 * v, 0.5 * v});
  }
  transferred.add_edges(std::vector<LocalIndex>{1, 2, 2, 3, 5, 6, 6, 7});
  const protocol::MappingUse use;
  std::vector<PlannedMapping> mappings;
  mappings.push_back(copying({}, use));
  mappings[0].vertices = {6}; // written
  const std::vector<double> measures{10, 11, 12, 13, 14, 15, 16, 17};
  const HeldMesh held =
      make_held_mesh(transferred, number_ghosts(parts, needed), mappings, measures);
  REQUIRE(held.mesh.num_vertices() == 5); // 1, 2, 5, 6, 7
  CHECK(held.read == std::vector<LocalIndex>{0, 1, 2, 4});
  CHECK(held.written == std::vector<std::vector<LocalIndex>>{{3}});
  CHECK(held.measures == std::vector<double>{11, 12, 15, 16, 17});
  CHECK(held.mesh.vertex(3)[0] == 6);
  const auto edges = held.mesh.edges();
  CHECK(std::vector<LocalIndex>(edges.begin(), edges.end()) ==
        std::vector<LocalIndex>{0, 1, 2, 3, 3, 4});
}
