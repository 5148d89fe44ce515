// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/resets.hpp"

#include "isthmus/comm/pause.hpp"
#include "iteration/one_mesh.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace isthmus::coupling {

TEST_CASE("a partner is to be notified of a reset until plans are made again") {
  iteration::OneMesh provider(1); // of whose mesh "A" reads directly
  const fields::Relations relations(relations_of_run(provider.configuration),
                                    provider.configuration.participants, provider.self());
  const transport::Hub hub{comm::SpinPolicy::for_processes(1)};
  const Scheme scheme(provider.scheme(), "B", 0);
  const std::vector<std::string> partners{"A", "C"};
  Resets resets(provider.self(), relations, hub, true);
  CHECK(resets.renewals(scheme, false).empty());

  const transfer::MeshBits bit = resets.bit_of("B-Mesh");
  CHECK(bit == 1);
  resets.join(bit, partners);
  CHECK(resets.includes("B-Mesh"));
  CHECK(resets.unsent("A") == bit);
  CHECK(resets.unsent("C") == 0); // it has nothing of the mesh
  resets.complete();
  CHECK(!resets.includes("B-Mesh"));
  CHECK(resets.unsent("A") == bit);
  const auto renewals = resets.renewals(scheme, false);
  REQUIRE(renewals.size() == 1);
  CHECK(renewals[0].partner == "A");
  CHECK(renewals[0].own.reset == bit);
  CHECK(renewals[0].own.is_small == 0);
  transfer::Changes small;
  small.reset = bit;
  resets.note_sent("A", small);
  CHECK(resets.renewals(scheme, false)[0].own.is_small == small.is_small);
  resets.forget("A");
  CHECK(resets.unsent("A") == 0);
  CHECK(resets.renewals(scheme, false).empty());
}

} // namespace isthmus::coupling
