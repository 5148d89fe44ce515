// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/field_view.hpp"

#include "isthmus/config/read/read.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/fields/plans.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "participant/setup/scenario.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using actions::FieldView;

namespace {

using Values = std::vector<double>;

/// "A" maps "x" of one mesh and "y" of another one to that of "B", where it makes "z" of both.
config::Configuration make_configuration() {
  const couple::FlowMapping written{.direction = "write"};
  couple::Scenario scenario{
      {{.first = "A", .second = "B"}},
      {{.from = "A", .to = "B", .data = "x", .mapping = written, .way = couple::Way::to_action},
       {.from = "A",
        .to = "B",
        .data = "y",
        .mapping = written,
        .meshes = {.own = "Other"},
        .way = couple::Way::to_action},
       {.from = "A", .to = "B", .data = "z", .mapping = written, .way = couple::Way::from_action}}};
  scenario.inside["A"] = R"(<action:summation timing="write-mapping-post" mesh="B-Mesh">
<source-data name="x" /><source-data name="y" /><target-data name="z" /></action:summation>)";
  return config::parse(scenario.xml(), "two.xml");
}

/// Of four vertices of "B-Mesh" that are held "x" reaches 2 and 0, "y" 0 and 3.
struct Held {
  Held() {
    planning::ReceivedRelation& received = plans.received.emplace_back();
    received.relation = &relations.front();
    received.is_new = true;
    planning::ReceivedPlan& plan = received.plan;
    plan.mappings.resize(2);
    for (std::size_t i = 0; i < plan.mappings.size(); ++i) {
      plan.mappings[i].use = &relations.front().uses[i];
      plan.mappings[i].rows = mapping::Rows(std::vector<LocalIndex>{1, 1}, {0, 1}, {1.0, 1.0});
    }
    plan.held.emplace();
    plan.held->mesh = mesh::Mesh("B-Mesh", 2, {0, 0, 1, 0, 2, 0, 3, 0}, {}, {}, {});
    plan.held->written = {{2, 0}, {0, 3}};
    planned.take_up();
  }

  [[nodiscard]] FieldView view(const char* data) const {
    const fields::Field& field = fields.at("B-Mesh", data);
    return {field, planned, field.components()};
  }

  config::Configuration configuration = make_configuration();
  std::vector<protocol::MeshRelation> relations = relations_of_run(configuration);
  fields::FieldSet fields{config::declared_fields(configuration, configuration.participants[0])};
  fields::Plans plans;
  fields::PlannedFields planned{plans, configuration.meshes, configuration.participants[0], fields};
};

} // namespace

TEST_CASE("data on a received mesh are seen at all vertices that are held, zeros where none are") {
  const Held held;
  const FieldView x = held.view("x");
  REQUIRE(x.size() == 4);
  Values seen(4, 0.0);
  x.add(Values{5, 7}, seen);
  CHECK(seen == Values{7, 0, 5, 0});
  held.view("y").add(Values{10, 20}, seen);
  CHECK(seen == Values{17, 0, 5, 20});
  Values values(2);
  x.take(seen, values);
  CHECK(values == Values{5, 17});
  CHECK(x.num_lost(seen) == 1); // the last vertex, the second one is zero
}

TEST_CASE("data that are made of two mapped ones are seen once, and put once where both reach") {
  const Held held;
  REQUIRE(held.fields.at("B-Mesh", "z").wave().size() == 4); // one after the other
  const FieldView z = held.view("z");
  Values seen(4, 0.0);
  z.add(Values{1, 2, 30, 4}, seen);
  CHECK(seen == Values{32, 0, 1, 4});
  Values values(4, -1);
  z.take(seen, values);
  CHECK(values == Values{1, 32, 0, 4});
  CHECK(z.num_lost(seen) == 0);
  CHECK(z.num_lost(Values{0, 1, 0, 0}) == 1);
}

TEST_CASE("data on a provided mesh are seen as they are, gradients if they are asked for") {
  const Held held;
  fields::Field field("A-Mesh", "x", 1, 1, 2); // two derivatives
  field.resize(2);
  const Values values{1, 10, 11, 2, 20, 21};
  const FieldView plain(field, held.planned, 1);
  Values seen(plain.size(), 0.0);
  plain.add(values, seen);
  CHECK(seen == Values{1, 2});
  Values changed = values;
  plain.take(Values{3, 4}, changed);
  CHECK(changed == Values{3, 10, 11, 4, 20, 21});
  CHECK(plain.num_lost(seen) == 0);
  const FieldView whole(field, held.planned, field.width());
  seen.assign(whole.size(), 0.0);
  whole.add(values, seen);
  CHECK(seen == values);
}
