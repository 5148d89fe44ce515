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
  CHECK(labels(of_a.all()) == Names{"A-Mesh:Force", "A-Mesh:Heat"});
  CHECK(labels(of_b.all()) == Names{"A-Mesh:Force", "A-Mesh:Heat", "B-Mesh:Heat"});
  CHECK(labels(of_b.on("B-Mesh")) == Names{"B-Mesh:Heat"});
  CHECK(of_b.on("C-Mesh").empty());
  CHECK(of_a.find("B-Mesh", "Heat") == nullptr);
  CHECK(of_b.find("B-Mesh", "Force") == nullptr);
  CHECK(of_b.find("B-Mesh", "Heat") == &of_b.at("B-Mesh", "Heat"));
  CHECK(of_a.at("A-Mesh", "Force").components() == 3); // as many as the mesh has dimensions
  CHECK(of_a.at("A-Mesh", "Heat").components() == 1);
  CHECK(of_a.at("A-Mesh", "Heat").wave().degree() == 3);
  CHECK(of_a.at("A-Mesh", "Heat").width() == 4); // value and three derivatives
  CHECK(of_a.at("A-Mesh", "Force").width() == 3);
}

TEST_CASE("on a received mesh with direct access the solver has fields of its own") {
  config::Configuration all = config::gradient_run();
  FieldSet without(config::declared_fields(all, all.participants[1]));
  CHECK(&without.of_solver("A-Mesh", "Heat") == &without.at("A-Mesh", "Heat"));
  CHECK_FALSE(without.is_accessed(without.at("A-Mesh", "Heat")));
  all.participants[1].received[0].api_access = true;
  FieldSet with(config::declared_fields(all, all.participants[1]));
  Field& of_solver = with.of_solver("A-Mesh", "Heat");
  CHECK(&of_solver != &with.at("A-Mesh", "Heat"));
  CHECK(with.is_accessed(of_solver));
  CHECK_FALSE(with.is_accessed(with.at("A-Mesh", "Heat")));
  CHECK(&with.of_solver("B-Mesh", "Heat") == &with.at("B-Mesh", "Heat")); // provided
  CHECK(labels(with.all()) ==
        Names{"A-Mesh:Force", "A-Mesh:Heat", "B-Mesh:Heat", "A-Mesh:Force", "A-Mesh:Heat"});
  CHECK(with.all()[4] == &of_solver);
  CHECK(with.on("A-Mesh").size() == 4);
  CHECK_FALSE(of_solver.has_gradients()); // those travel, the solver does not see them
  CHECK(with.at("A-Mesh", "Heat").has_gradients());
}
