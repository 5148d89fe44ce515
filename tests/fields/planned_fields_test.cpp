// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/planned_fields.hpp"

#include "fields/planned.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/plans.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

const config::Exchange sends_x{"x", "B-Mesh", "A", "B", false, false, 0};
const config::Exchange sends_y{"y", "B-Mesh", "B", "A", false, true, 0};

} // namespace

TEST_CASE("the plan of a received mesh says what is mapped to what, and where values belong") {
  Planned a("A");
  a.planned.take_up();
  REQUIRE(a.planned.write_mappings().size() == 1);
  REQUIRE(a.planned.read_mappings().size() == 1);
  CHECK(a.planned.write_mappings()[0].from == &a.fields.at("A-Mesh", "x"));
  CHECK(a.planned.write_mappings()[0].to == &a.fields.at("B-Mesh", "x"));
  CHECK(a.planned.read_mappings()[0].from == &a.fields.at("B-Mesh", "y"));
  CHECK(a.planned.read_mappings()[0].to == &a.fields.at("A-Mesh", "y"));
  CHECK(a.fields.at("B-Mesh", "x").wave().size() == 2);
  CHECK(a.planned.vertices_of(a.fields.at("B-Mesh", "x")) == std::vector<LocalIndex>{2, 0});
  CHECK(a.planned.vertices_of(a.fields.at("B-Mesh", "y")) == std::vector<LocalIndex>{1, 2});
  CHECK(a.planned.coordinates_of(a.fields.at("B-Mesh", "x")) == std::vector<double>{2, 0, 0, 0});
  CHECK(a.planned.dimensions_of(a.fields.at("B-Mesh", "x")) == 2);
  CHECK(a.planned.held("B-Mesh") != nullptr);
  CHECK(a.planned.held("A-Mesh") == nullptr);
  CHECK(a.planned.accessed("B-Mesh") == nullptr);
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
    CHECK(a.fields.at("B-Mesh", data).wave().size() == 2);
    a.fields.at("B-Mesh", data).wave().append(0, {1, 2});
  }
  CHECK(a.planned.num_taken_up() == 1);
  take_up();
  CHECK(a.planned.num_taken_up() == 1);
  CHECK(a.fields.at("B-Mesh", "x").wave().num_samples() == 1);
  CHECK(a.fields.at("B-Mesh", "y").wave().num_samples() == 1);
  a.plans.received.front().is_new = true;
  take_up();
  CHECK(a.planned.num_taken_up() == 2);
  CHECK(a.fields.at("B-Mesh", "x").wave().empty());
  CHECK(a.fields.at("B-Mesh", "y").wave().empty());
}

TEST_CASE("an exchange moves the routes of its mapping, on both sides") {
  Planned a("A");
  Planned b("B");
  a.planned.take_up();
  const Item out = a.items.of(sends_x).front();
  CHECK(out.field == &a.fields.at("B-Mesh", "x"));
  CHECK(out.routes == &a.plans.received.front().plan.mappings[1].routes);
  CHECK(!out.all_samples);
  const Item in = a.items.of(sends_y).front();
  CHECK(in.routes == &a.plans.received.front().plan.read);
  CHECK(in.all_samples);
  CHECK(in.covered);
  CHECK(b.items.of(sends_x).front().routes == &b.plans.provided.front().plan.write[1]);
  CHECK(!b.items.of(sends_x).front().covered); // nobody writes the second vertex
  CHECK(b.items.of(sends_y).front().routes == &b.plans.provided.front().plan.read);
}

TEST_CASE("what an action makes of mapped data goes the way of these data") {
  const auto with_sum = [](Planned& side) {
    config::Participant& a = side.configuration.participants[0];
    config::Action& action = a.actions.emplace_back();
    action.kind = config::ActionKind::summation;
    action.mesh = "B-Mesh";
    action.source_data = {"x"};
    action.target_data = "y";
  };
  const config::Exchange made{"y", "B-Mesh", "A", "B", false, false, 0};
  Planned a("A");
  Planned b("B");
  with_sum(a);
  with_sum(b);
  a.planned.take_up();
  const std::vector<Item> out = a.items.of(made);
  REQUIRE(out.size() == 1);
  CHECK(out.front().adds);
  CHECK(out.front().routes->front().first == 0);
  CHECK(isthmus::fields::is_made_of(a.fields.at("B-Mesh", "y"), a.fields.at("B-Mesh", "x")));
  CHECK(a.planned.vertices_of(a.fields.at("B-Mesh", "y")) == std::vector<LocalIndex>{2, 0});
  const std::vector<Item> in = b.items.of(made);
  REQUIRE(in.size() == 1);
  CHECK(in.front().routes == &b.plans.provided.front().plan.write[1]);
}
