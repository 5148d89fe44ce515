// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/mesh_relation.hpp"

#include "isthmus/config/read/read.hpp"
#include "participant/setup/scenario.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::protocol;
using config::Constraint;
using config::MappingKind;

namespace {

config::Mapping mapping_of(MappingKind kind, bool writes, Constraint constraint) {
  config::Mapping mapping;
  mapping.kind = kind;
  mapping.constraint = constraint;
  mapping.from = writes ? "Own" : "M";
  mapping.to = writes ? "M" : "Own";
  return mapping;
}

MeshRelation relation_of(const config::Mapping& mapping) {
  MeshRelation relation;
  relation.mesh = "M";
  relation.uses = {use_of(mapping, "M")};
  relation.may_change = true;
  return relation;
}

} // namespace

TEST_CASE("vertices look for their place on the mesh that values come from, or go to") {
  for (const bool writes : {false, true}) {
    for (const bool conservative : {false, true}) {
      const auto mapping =
          mapping_of(MappingKind::nearest_neighbor, writes,
                     conservative ? Constraint::conservative : Constraint::consistent);
      const MappingUse use = use_of(mapping, "M");
      CHECK(use.writes == writes);
      CHECK(use.own_mesh == "Own");
      CHECK(use.searches_received == (writes == conservative));
      CHECK(use.claims() == (writes != conservative));
    }
  }
}

TEST_CASE("each of the two participants of a relation is the partner of the other") {
  MeshRelation relation;
  relation.provider = "A";
  relation.receiver = "B";
  CHECK(relation.is_provided_by("A"));
  CHECK_FALSE(relation.is_provided_by("B"));
  CHECK(relation.partner_of("A") == "B");
  CHECK(relation.partner_of("B") == "A");
}

TEST_CASE("a partition of unity needs the whole mesh nowhere") {
  for (const MappingKind kind : {MappingKind::rbf_pum_direct, MappingKind::rbf}) {
    auto mapping = mapping_of(kind, false, Constraint::consistent);
    MeshRelation relation = relation_of(mapping);
    CHECK(relation.uses[0].is_surveyed());
    for (const bool may_change : {true, false}) {
      relation.may_change = may_change;
      CHECK_FALSE(relation.sends_everything());
    }
    const auto writes = mapping_of(kind, true, Constraint::consistent); // searches the own mesh
    relation = relation_of(writes);
    relation.may_change = false;
    CHECK_FALSE(relation.uses[0].is_surveyed());
    CHECK(relation.uses[0].searches_nearby());
    CHECK(relation.uses[0].claims());
    CHECK_FALSE(relation.uses[0].gathers());
    CHECK_FALSE(relation.sends_everything());
    mapping.constraint = Constraint::scaled_consistent_surface;
    relation = relation_of(mapping);
    relation.may_change = false;
    CHECK(relation.uses[0].is_surveyed());
    CHECK_FALSE(relation.sends_everything());
  }
}

TEST_CASE(
    "who takes several vertices of the own mesh finds them nearby, unless scales are joined") {
  for (const MappingKind kind : {MappingKind::coarse_graining, MappingKind::intersection}) {
    for (const bool writes : {true, false}) {
      const auto mapping =
          mapping_of(kind, writes, writes ? Constraint::consistent : Constraint::conservative);
      const MeshRelation relation = relation_of(mapping);
      CHECK(relation.uses[0].searches_nearby());
      CHECK(relation.uses[0].claims());
      CHECK_FALSE(relation.sends_everything());
      CHECK(relation.sends_connectivity() == (kind == MappingKind::intersection));
      const auto reverse =
          mapping_of(kind, writes, writes ? Constraint::conservative : Constraint::consistent);
      CHECK_FALSE(use_of(reverse, "M").searches_nearby());
    }
  }
  const auto scales =
      mapping_of(MappingKind::radial_geometric_multiscale, true, Constraint::consistent);
  const MeshRelation relation = relation_of(scales);
  CHECK_FALSE(relation.uses[0].searches_nearby());
  CHECK(relation.uses[0].gathers());
  CHECK(relation.sends_everything());
}

TEST_CASE("systems and integrals take shares, beside regions where others look around") {
  const auto reads = [](MappingKind kind, Constraint constraint) {
    return mapping_of(kind, false, constraint);
  };
  const auto global = reads(MappingKind::rbf_global_direct, Constraint::consistent);
  const auto nearest = reads(MappingKind::nearest_neighbor, Constraint::consistent);
  const auto scaled = reads(MappingKind::nearest_neighbor, Constraint::scaled_consistent_surface);
  const auto scaled_writes =
      mapping_of(MappingKind::nearest_neighbor, true, Constraint::scaled_consistent_surface);
  MeshRelation relation = relation_of(global);
  CHECK(relation.sends_shares());
  CHECK_FALSE(relation.sends_regions());
  relation.uses.push_back(use_of(nearest, "M"));
  CHECK(relation.sends_shares());
  CHECK(relation.sends_regions());
  CHECK_FALSE(relation.sends_everything());
  relation.initialization = config::Initialization::one_level; // which sends everything
  CHECK_FALSE(relation.sends_shares());
  CHECK(relation.sends_regions());
  relation = relation_of(nearest);
  CHECK_FALSE(relation.sends_shares());
  CHECK(relation.sends_regions());
  relation = relation_of(scaled);
  CHECK(relation.sends_shares());
  CHECK(relation.sends_regions());
  CHECK_FALSE(relation.sends_everything());
  CHECK_FALSE(relation.sends_connectivity()); // what they measure is a message of its own
  relation = relation_of(scaled_writes);      // each vertex is written on one rank
  CHECK_FALSE(relation.sends_shares());
  relation.is_weighed = true;
  CHECK_FALSE(relation.sends_connectivity());
  CHECK_FALSE(relation.sends_everything());
}

TEST_CASE("elements travel where they are searched or looked at") {
  const auto nearest = mapping_of(MappingKind::nearest_neighbor, false, Constraint::consistent);
  const auto projection =
      mapping_of(MappingKind::nearest_projection, false, Constraint::consistent);
  const auto reverse = mapping_of(MappingKind::nearest_projection, true, Constraint::consistent);
  CHECK_FALSE(relation_of(nearest).sends_connectivity());
  CHECK(relation_of(projection).sends_connectivity());
  CHECK_FALSE(relation_of(reverse).sends_connectivity()); // the own mesh is searched
  MeshRelation held = relation_of(nearest);
  held.is_held = true;
  CHECK(held.sends_connectivity());
}

TEST_CASE("projections have candidates unless they go to the closest place") {
  for (const MappingKind kind :
       {MappingKind::nearest_projection, MappingKind::linear_cell_interpolation}) {
    config::Mapping mapping = mapping_of(kind, false, Constraint::consistent);
    CHECK(relation_of(mapping).uses.front().has_candidates());
    const config::Mapping as_in_precice = mapping;
    mapping.closest = true;
    CHECK_FALSE(relation_of(mapping).uses.front().has_candidates());
    CHECK_FALSE(use_of(mapping, "M").finds_the_same(use_of(as_in_precice, "M")));
  }
  const auto nearest = mapping_of(MappingKind::nearest_neighbor, false, Constraint::consistent);
  CHECK_FALSE(relation_of(nearest).uses.front().has_candidates());
}

TEST_CASE("a vertex has one place by the nearest vertex and by projections alone") {
  const auto has_places = [](MappingKind kind) {
    return use_of(mapping_of(kind, false, Constraint::consistent), "M").has_places();
  };
  CHECK(has_places(MappingKind::nearest_neighbor));
  CHECK(has_places(MappingKind::nearest_neighbor_gradient));
  CHECK(has_places(MappingKind::nearest_projection));
  CHECK(has_places(MappingKind::linear_cell_interpolation));
  CHECK_FALSE(has_places(MappingKind::intersection));
  CHECK_FALSE(has_places(MappingKind::coarse_graining));
  CHECK_FALSE(has_places(MappingKind::rbf_pum_direct)); // which goes through all vertices
  MappingUse access;
  access.direct = true;
  CHECK_FALSE(access.has_places());
}

TEST_CASE("both participants list the same relations") {
  const couple::Scenario scenario{
      {{.first = "A", .second = "B"}},
      {{.from = "A", .to = "B", .data = "X", .meshes = {.dimensions = 3}},
       {.from = "A",
        .to = "B",
        .data = "Y",
        .mapping = {.kind = ""},
        .meshes = {.dimensions = 3}}}};
  const config::Configuration configuration = config::parse(scenario.xml(), "two.xml");
  const std::vector<MeshRelation> relations = relations_of_run(configuration);
  REQUIRE(relations.size() == 1);
  CHECK(relations[0].provider == "A");
  CHECK(relations[0].receiver == "B");
  CHECK(relations[0].dimensions == 3);
  REQUIRE(relations[0].uses.size() == 3); // the mapping, access that reads and that writes
  CHECK(relations[0].mapped_meshes() == std::vector<std::string>{"B-Mesh"});
  CHECK_FALSE(relations[0].has_claims());
  CHECK_FALSE(connectivity_required(configuration.participants, "A-Mesh"));
}
