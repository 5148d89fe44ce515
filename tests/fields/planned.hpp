// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/fields/plans.hpp"
#include "relations_of_run.hpp"

#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

inline constexpr transport::LinkId link_to_b = 7;

/// "A" receives "Remote" of "B", maps "x" of its own mesh to it and "y" from it.
[[nodiscard]] inline config::Configuration make_mapped_configuration() {
  config::Configuration configuration;
  configuration.data.resize(2);
  configuration.data[0].name = "x";
  configuration.data[1].name = "y";
  configuration.meshes = {{"Own", 2, {"x", "y"}, 0}, {"Remote", 2, {"x", "y"}, 0}};
  configuration.participants.resize(2);
  config::Participant& a = configuration.participants[0];
  a.name = "A";
  a.provided = {{"Own", 0}};
  a.written = {{"x", "Own", 0}};
  a.read = {{"y", "Own", 0}};
  config::ReceiveMesh received;
  received.name = "Remote";
  received.from = "B";
  a.received.push_back(received);
  config::Participant& b = configuration.participants[1];
  b.name = "B";
  b.provided = {{"Remote", 0}};
  b.written = {{"y", "Remote", 0}};
  b.read = {{"x", "Remote", 0}};
  config::Mapping write;
  write.direction = config::Direction::write;
  write.from = "Own";
  write.to = "Remote";
  config::Mapping read;
  read.from = "Remote";
  read.to = "Own";
  a.mappings = {write, read};
  return configuration;
}

[[nodiscard]] inline planning::Route route_of(LocalIndex count, std::vector<LocalIndex> vertices) {
  return {link_to_b, 0, count, std::move(vertices)};
}

/// One participant with plans made by hand: "A" writes the vertices 2 and 0 of "Remote", and reads
/// the vertices 1 and 2.
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
      provided.plan.write = {{route_of(2, {2, 0})}, {}};
      return;
    }
    planning::ReceivedRelation& received = plans.received.emplace_back();
    received.relation = &relation;
    planning::ReceivedPlan& plan = received.plan;
    plan.num_read = 2;
    plan.read = {route_of(2, {})};
    plan.mappings.resize(2);
    plan.mappings[0].use = &relation.uses[0];
    plan.mappings[0].rows = mapping::Rows(std::vector<LocalIndex>{1, 1}, {0, 1}, {1.0, 1.0});
    plan.mappings[0].routes = {route_of(2, {})};
    plan.mappings[1].use = &relation.uses[1];
    plan.mappings[1].rows =
        mapping::Rows(std::vector<LocalIndex>{1, 1, 1}, {0, 0, 1}, {1.0, 1.0, 1.0});
    plan.held.emplace();
    plan.held->mesh = mesh::Mesh("Remote", 2, {0, 0, 1, 0, 2, 0}, {}, {}, {});
    plan.held->read = {1, 2};
    plan.held->written = {{2, 0}, {}};
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
