// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/read.hpp"
#include "isthmus/fields/partners.hpp"
#include "participant/setup/scenario.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

/// "A" reads data of "B" on its second mesh; "C" only receives the mesh of "B".
config::Configuration make_configuration() {
  const couple::Scenario scenario{
      {{.first = "A", .second = "B"}, {.first = "C", .second = "B"}},
      {{.from = "A", .to = "nobody", .data = "Unused", .mapping = {.kind = ""}},
       {.from = "B", .to = "A", .data = "X", .meshes = {.own = "OfA"}},
       {.from = "B", .to = "C", .data = "X", .mapping = {.kind = ""}, .meshes = {.access = ""}}}};
  return config::parse(scenario.xml(), "three.xml");
}

Relations relations_of(const config::Configuration& configuration, const char* name) {
  return {relations_of_run(configuration), configuration.participants,
          *configuration.find_participant(name)};
}

Renewal renewal_of(const std::string& partner, transfer::MeshBits own, transfer::MeshBits theirs) {
  Renewal renewal{partner, {}, {}};
  renewal.own.reset = own;
  renewal.theirs.reset = theirs;
  return renewal;
}

} // namespace

TEST_CASE("a participant has the relations of its meshes, and is related where something is used") {
  const config::Configuration configuration = make_configuration();
  const auto of = [&](const char* name) { return relations_of(configuration, name); };
  CHECK(of("A").all().size() == 1);
  CHECK(of("B").all().size() == 2);
  CHECK(of("C").all().size() == 1);
  CHECK(of("A").is_related("B"));
  CHECK(of("B").is_related("A"));
  CHECK(!of("A").is_related("C"));
  CHECK(!of("B").is_related("C")); // that uses nothing of the mesh
}

TEST_CASE("both sides find the same relations renewed by a reset") {
  const config::Configuration configuration = make_configuration();
  const Relations a = relations_of(configuration, "A");
  const Relations b = relations_of(configuration, "B");
  for (transfer::MeshBits of_a = 0; of_a < 4; ++of_a) {
    for (transfer::MeshBits of_b = 0; of_b < 2; ++of_b) {
      const bool renewed = of_b != 0 || (of_a & 2U) != 0; // its second mesh is mapped
      const Renewal at_a = renewal_of("B", of_a, of_b);
      const Renewal at_b = renewal_of("A", of_b, of_a);
      CHECK(a.is_renewed(at_a) == renewed);
      CHECK(b.is_renewed(at_b) == renewed);
      CHECK(a.is_reset(a.all().front(), at_a) == (of_b != 0));
      CHECK(b.is_reset(b.all().front(), at_b) == (of_b != 0));
      CHECK(a.renewed_meshes(at_a) ==
            (renewed ? std::vector<std::string>{"B-Mesh"} : std::vector<std::string>{}));
      CHECK(b.renewed_meshes(at_b).empty()); // it receives none
    }
  }
  CHECK(!b.is_renewed(renewal_of("C", 1, 0)));
}

TEST_CASE("a mesh has been reset if its bit is set, and it is one of the provided ones") {
  const config::Configuration configuration = make_configuration();
  const config::Participant& a = configuration.participants[0];
  CHECK(has_reset(a, 1, "A-Mesh"));
  CHECK(!has_reset(a, 1, "OfA"));
  CHECK(has_reset(a, 2, "OfA"));
  CHECK(!has_reset(a, 3, "B-Mesh"));
}
