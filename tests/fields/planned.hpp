// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/read/read.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/fields/plans.hpp"
#include "participant/setup/scenario.hpp"
#include "relations_of_run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

inline constexpr transport::LinkId link_to_b = 7;

/// "A" maps "x" of its own mesh to that of "B", and "y" from there.
[[nodiscard]] inline config::Configuration make_mapped_configuration() {
  const couple::Scenario scenario{
      {{.first = "A", .second = "B"}},
      {{.from = "A", .to = "B", .data = "x", .mapping = {.direction = "write"}},
       {.from = "B", .to = "A", .data = "y"}}};
  return config::parse(scenario.xml(), "two.xml");
}

[[nodiscard]] inline planning::Route route_of(LocalIndex count, std::vector<LocalIndex> vertices) {
  return {link_to_b, 0, count, std::move(vertices)};
}

/// One participant with plans made by hand: "A" reads the vertices 1 and 2 of the mesh of "B", and
/// writes the vertices 2 and 0. Its first mapping is the one that reads.
struct Planned {
  explicit Planned(const std::string& name)
      : self(*configuration.find_participant(name)), relation(relations.front()) {
    for (Field* field : fields.all()) {
      if (self.provides(field->mesh())) {
        field->resize(3);
      }
    }
    if (name == "B") {
      planning::ProvidedRelation& provided = plans.provided.emplace_back();
      provided.relation = &relation;
      provided.plan.read = {route_of(2, {1, 2})};
      provided.plan.write = {{}, {route_of(2, {2, 0})}};
      return;
    }
    planning::ReceivedRelation& received = plans.received.emplace_back();
    received.relation = &relation;
    planning::ReceivedPlan& plan = received.plan;
    plan.num_read = 2;
    plan.read = {route_of(2, {})};
    plan.mappings.resize(2);
    plan.mappings[0].use = &relation.uses[0];
    plan.mappings[0].rows =
        mapping::Rows(std::vector<LocalIndex>{1, 1, 1}, {0, 0, 1}, {1.0, 1.0, 1.0});
    plan.mappings[1].use = &relation.uses[1];
    plan.mappings[1].rows = mapping::Rows(std::vector<LocalIndex>{1, 1}, {0, 1}, {1.0, 1.0});
    plan.mappings[1].routes = {route_of(2, {})};
    plan.held.emplace();
    plan.held->mesh = mesh::Mesh("B-Mesh", 2, {0, 0, 1, 0, 2, 0}, {}, {}, {});
    plan.held->read = {1, 2};
    plan.held->written = {{}, {2, 0}};
  }

  config::Configuration configuration = make_mapped_configuration();
  std::vector<protocol::MeshRelation> relations = relations_of_run(configuration);
  const config::Participant& self;
  const protocol::MeshRelation& relation;
  FieldSet fields{config::declared_fields(configuration, self)};
  Plans plans;
  PlannedFields planned{plans, configuration.meshes, self, fields};
  Items items{plans, configuration.participants, self, fields};
};

} // namespace isthmus::fields
