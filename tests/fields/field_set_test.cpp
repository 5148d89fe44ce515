// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field_set.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

config::Data data(const std::string& name, bool vector) {
  config::Data result;
  result.name = name;
  result.vector = vector;
  return result;
}

/// "A" provides MA; "B" provides MB, receives MA and reads Heat on MB, which comes from MA.
config::Configuration run() {
  config::Configuration all;
  all.data = {data("Force", true), data("Heat", false)};
  all.data[1].waveform_degree = 3;
  all.meshes = {{"MA", 3, {"Force", "Heat"}, 0}, {"MB", 3, {"Heat"}, 0}};
  all.participants.resize(2);
  config::Participant& a = all.participants[0];
  a.name = "A";
  a.provided = {{"MA", 0}};
  a.written = {{"Heat", "MA", 0}};
  config::Participant& b = all.participants[1];
  b.name = "B";
  b.provided = {{"MB", 0}};
  b.received = {{"MA", "A"}};
  b.read = {{"Heat", "MB", 0}};
  config::Mapping mapping;
  mapping.kind = config::MappingKind::nearest_neighbor_gradient;
  mapping.direction = config::Direction::read;
  mapping.from = "MA";
  mapping.to = "MB";
  b.mappings = {mapping};
  all.schemes.resize(1);
  all.schemes[0].exchanges = {{"Heat", "MA", "A", "B"}};
  return all;
}

std::vector<std::string> labels(const std::vector<Field*>& fields) {
  std::vector<std::string> names;
  for (const Field* field : fields) {
    names.push_back(field->mesh() + ":" + field->data());
  }
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a participant has a field for all data of all meshes it provides or receives") {
  const config::Configuration all = run();
  const FieldSet of_a(all, all.participants[0]);
  const FieldSet of_b(all, all.participants[1]);
  CHECK(labels(of_a.all()) == Names{"MA:Force", "MA:Heat"});
  CHECK(labels(of_b.all()) == Names{"MA:Force", "MA:Heat", "MB:Heat"});
  CHECK(labels(of_b.on("MB")) == Names{"MB:Heat"});
  CHECK(of_b.on("MC").empty());
  CHECK(of_a.find("MB", "Heat") == nullptr);
  CHECK(of_b.find("MB", "Force") == nullptr);
  CHECK(of_b.find("MB", "Heat") == &of_b.at("MB", "Heat"));
  CHECK(of_a.at("MA", "Force").components() == 3); // as many as the mesh has dimensions
  CHECK(of_a.at("MA", "Heat").components() == 1);
  CHECK(of_a.at("MA", "Heat").wave().degree() == 3);
}

TEST_CASE("on a received mesh with direct access the solver has fields of its own") {
  config::Configuration all = run();
  const FieldSet without(all, all.participants[1]);
  CHECK(&without.of_solver("MA", "Heat") == &without.at("MA", "Heat"));
  CHECK_FALSE(without.is_accessed(without.at("MA", "Heat")));
  all.participants[1].received[0].api_access = true;
  const FieldSet with(all, all.participants[1]);
  Field& of_solver = with.of_solver("MA", "Heat");
  CHECK(&of_solver != &with.at("MA", "Heat"));
  CHECK(with.is_accessed(of_solver));
  CHECK_FALSE(with.is_accessed(with.at("MA", "Heat")));
  CHECK(&with.of_solver("MB", "Heat") == &with.at("MB", "Heat")); // provided
  CHECK(labels(with.all()) == Names{"MA:Force", "MA:Heat", "MB:Heat", "MA:Force", "MA:Heat"});
  CHECK(with.all()[4] == &of_solver);
  CHECK(with.on("MA").size() == 4);
  CHECK_FALSE(of_solver.has_gradients()); // those travel, the solver does not see them
  CHECK(with.at("MA", "Heat").has_gradients());
}

TEST_CASE("gradients are needed where a mapping takes them of data that come that way") {
  config::Configuration all = run();
  CHECK(needs_gradients(all, "MA", "Heat"));
  CHECK_FALSE(needs_gradients(all, "MB", "Heat"));  // the mapping is from MA
  CHECK_FALSE(needs_gradients(all, "MA", "Force")); // nobody reads it
  const FieldSet of_a(all, all.participants[0]);
  CHECK(of_a.at("MA", "Heat").width() == 4); // value and three derivatives
  CHECK(of_a.at("MA", "Force").width() == 3);

  config::Mapping& mapping = all.participants[1].mappings[0];
  all.schemes[0].exchanges[0].mesh = "MB"; // arrives in another way
  CHECK_FALSE(needs_gradients(all, "MA", "Heat"));
  all.schemes[0].exchanges[0].mesh = "MA";
  mapping.kind = config::MappingKind::nearest_neighbor;
  CHECK_FALSE(needs_gradients(all, "MA", "Heat"));
  mapping.gradients = true; // of a mapping that becomes another one
  CHECK(needs_gradients(all, "MA", "Heat"));
}

TEST_CASE("a mapping that writes takes gradients of what its participant writes") {
  config::Configuration all = run();
  config::Participant& b = all.participants[1];
  b.written = {{"Heat", "MB", 0}};
  b.mappings[0].direction = config::Direction::write;
  b.mappings[0].from = "MB";
  b.mappings[0].to = "MA";
  CHECK(needs_gradients(all, "MB", "Heat"));
  CHECK_FALSE(needs_gradients(all, "MA", "Heat"));
  b.written.clear();
  CHECK_FALSE(needs_gradients(all, "MB", "Heat"));
}
