// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/planned_fields.hpp"

#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/plans.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

constexpr transport::LinkId link_to_b = 7;

/// "A" receives "Remote" of "B", maps "x" of its own mesh to it and "y" from it.
config::Configuration make_configuration() {
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

planning::Route route_of(LocalIndex count, std::vector<LocalIndex> vertices) {
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

  config::Configuration configuration = make_configuration();
  std::vector<transfer::MeshRelation> relations = relations_of_run(configuration);
  const config::Participant& self;
  const transfer::MeshRelation& relation;
  FieldSet fields{config::declared_fields(configuration, self)};
  Plans plans;
  PlannedFields planned{plans, configuration.meshes, self, fields};
  Items items{plans, configuration.participants, self, fields};
};

const config::Exchange sends_x{"x", "Remote", "A", "B", false, false, 0};
const config::Exchange sends_y{"y", "Remote", "B", "A", false, true, 0};

} // namespace

TEST_CASE("the plan of a received mesh says what is mapped to what, and where values belong") {
  Planned a("A");
  a.planned.take_up();
  REQUIRE(a.planned.write_mappings().size() == 1);
  REQUIRE(a.planned.read_mappings().size() == 1);
  CHECK(a.planned.write_mappings()[0].from == &a.fields.at("Own", "x"));
  CHECK(a.planned.write_mappings()[0].to == &a.fields.at("Remote", "x"));
  CHECK(a.planned.read_mappings()[0].from == &a.fields.at("Remote", "y"));
  CHECK(a.planned.read_mappings()[0].to == &a.fields.at("Own", "y"));
  CHECK(a.fields.at("Remote", "x").wave().size() == 2);
  CHECK(a.planned.vertices_of(a.fields.at("Remote", "x")) == std::vector<LocalIndex>{2, 0});
  CHECK(a.planned.vertices_of(a.fields.at("Remote", "y")) == std::vector<LocalIndex>{1, 2});
  CHECK(a.planned.coordinates_of(a.fields.at("Remote", "x")) == std::vector<double>{2, 0, 0, 0});
  CHECK(a.planned.dimensions_of(a.fields.at("Remote", "x")) == 2);
  CHECK(a.planned.held("Remote") != nullptr);
  CHECK(a.planned.held("Own") == nullptr);
  CHECK(a.planned.accessed("Remote") == nullptr);
  a.planned.take_up(); // lists them anew
  CHECK(a.planned.write_mappings().size() == 1);
}

TEST_CASE("samples of a received mesh are gone with a new plan, and stay with an old one") {
  Planned a("A");
  const auto take_up = [&a] {
    a.planned.take_up();
    static_cast<void>(a.items.of(sends_x));
    static_cast<void>(a.items.of(sends_y));
    a.items.finish();
  };
  take_up();
  for (const char* data : {"x", "y"}) {
    CHECK(a.fields.at("Remote", data).wave().size() == 2);
    a.fields.at("Remote", data).wave().append(0, {1, 2});
  }
  CHECK(a.planned.num_taken_up() == 1);
  take_up();
  CHECK(a.planned.num_taken_up() == 1);
  CHECK(a.fields.at("Remote", "x").wave().num_samples() == 1);
  CHECK(a.fields.at("Remote", "y").wave().num_samples() == 1);
  a.plans.received.front().is_new = true;
  take_up();
  CHECK(a.planned.num_taken_up() == 2);
  CHECK(a.fields.at("Remote", "x").wave().empty());
  CHECK(a.fields.at("Remote", "y").wave().empty());
}

TEST_CASE("an exchange moves the routes of its mapping, on both sides") {
  Planned a("A");
  Planned b("B");
  a.planned.take_up();
  const Item out = a.items.of(sends_x).front();
  CHECK(out.field == &a.fields.at("Remote", "x"));
  CHECK(out.routes == &a.plans.received.front().plan.mappings[0].routes);
  CHECK(!out.all_samples);
  const Item in = a.items.of(sends_y).front();
  CHECK(in.routes == &a.plans.received.front().plan.read);
  CHECK(in.all_samples);
  CHECK(in.covered);
  CHECK(b.items.of(sends_x).front().routes == &b.plans.provided.front().plan.write[0]);
  CHECK(!b.items.of(sends_x).front().covered); // nobody writes the second vertex
  CHECK(b.items.of(sends_y).front().routes == &b.plans.provided.front().plan.read);
}

TEST_CASE("what an action makes of mapped data goes the way of these data") {
  const auto with_sum = [](Planned& side) {
    config::Participant& a = side.configuration.participants[0];
    config::Action& action = a.actions.emplace_back();
    action.kind = config::ActionKind::summation;
    action.mesh = "Remote";
    action.source_data = {"x"};
    action.target_data = "y";
  };
  const config::Exchange made{"y", "Remote", "A", "B", false, false, 0};
  Planned a("A");
  Planned b("B");
  with_sum(a);
  with_sum(b);
  a.planned.take_up();
  const std::vector<Item> out = a.items.of(made);
  REQUIRE(out.size() == 1);
  CHECK(out.front().adds);
  CHECK(out.front().routes->front().first == 0);
  CHECK(isthmus::fields::is_made_of(a.fields.at("Remote", "y"), a.fields.at("Remote", "x")));
  CHECK(a.planned.vertices_of(a.fields.at("Remote", "y")) == std::vector<LocalIndex>{2, 0});
  const std::vector<Item> in = b.items.of(made);
  REQUIRE(in.size() == 1);
  CHECK(in.front().routes == &b.plans.provided.front().plan.write[0]);
}
