// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field_set.hpp"
#include "config/gradient_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

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
  const config::Configuration all = config::gradient_run();
  FieldSet of_a(config::declared_fields(all, all.participants[0]));
  FieldSet of_b(config::declared_fields(all, all.participants[1]));
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
  CHECK(of_a.at("MA", "Heat").width() == 4); // value and three derivatives
  CHECK(of_a.at("MA", "Force").width() == 3);
}

TEST_CASE("on a received mesh with direct access the solver has fields of its own") {
  config::Configuration all = config::gradient_run();
  FieldSet without(config::declared_fields(all, all.participants[1]));
  CHECK(&without.of_solver("MA", "Heat") == &without.at("MA", "Heat"));
  CHECK_FALSE(without.is_accessed(without.at("MA", "Heat")));
  all.participants[1].received[0].api_access = true;
  FieldSet with(config::declared_fields(all, all.participants[1]));
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
