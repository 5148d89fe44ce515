// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/declared_fields.hpp"

#include "config/gradient_run.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::config;

TEST_CASE("gradients are needed where a mapping takes them of data that come that way") {
  Configuration all = gradient_run();
  CHECK(needs_gradients(all, "A-Mesh", "Heat"));
  CHECK_FALSE(needs_gradients(all, "B-Mesh", "Heat"));  // the mapping is from A-Mesh
  CHECK_FALSE(needs_gradients(all, "A-Mesh", "Force")); // nobody reads it
  const std::vector<DeclaredField> of_a = declared_fields(all, all.participants[0]);
  REQUIRE(of_a.size() == 2);
  CHECK(of_a[0].data == "Force");
  CHECK(of_a[0].components == 3);
  CHECK(of_a[0].derivatives == 0);
  CHECK(of_a[1].components == 1);
  CHECK(of_a[1].derivatives == 3);

  Mapping& mapping = all.participants[1].mappings[0];
  all.schemes[0].exchanges[0].mesh = "B-Mesh"; // arrives in another way
  CHECK_FALSE(needs_gradients(all, "A-Mesh", "Heat"));
  all.schemes[0].exchanges[0].mesh = "A-Mesh";
  mapping.kind = MappingKind::nearest_neighbor;
  CHECK_FALSE(needs_gradients(all, "A-Mesh", "Heat"));
  mapping.gradients = true; // of a mapping that becomes another one
  CHECK(needs_gradients(all, "A-Mesh", "Heat"));
}

TEST_CASE("a mapping that writes takes gradients of what its participant writes") {
  Configuration all = gradient_run();
  Participant& b = all.participants[1];
  b.written = {{"Heat", "B-Mesh", 0}};
  b.mappings[0].direction = Direction::write;
  b.mappings[0].from = "B-Mesh";
  b.mappings[0].to = "A-Mesh";
  CHECK(needs_gradients(all, "B-Mesh", "Heat"));
  CHECK_FALSE(needs_gradients(all, "A-Mesh", "Heat"));
  b.written.clear();
  CHECK_FALSE(needs_gradients(all, "B-Mesh", "Heat"));
}
