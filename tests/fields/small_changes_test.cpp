// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/small_changes.hpp"

#include "isthmus/comm/pause.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/fields/partners.hpp"
#include "participant/setup/scenario.hpp"
#include "relations_of_run.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;

namespace {

/// "A" reads from the mesh of "B".
config::Configuration make_run(const std::string& kind) {
  couple::Scenario scenario{{{.first = "A", .second = "B", .kind = kind}},
                            {{.from = "B", .to = "A", .data = "X"}}};
  scenario.remeshing = true;
  return config::parse(scenario.xml(), "two.xml");
}

/// Whether "B" takes it for small that vertices have moved by 0.1 where that is allowed.
bool is_small(const std::string& kind, bool remembers, double allowed, bool is_measured = false) {
  const config::Configuration configuration = make_run(kind);
  const config::Participant& b = configuration.participants[1];
  const comm::Comm comm{MPI_COMM_SELF};
  transport::Hub hub{comm::SpinPolicy::for_processes(1)};
  const Log log;
  Trace trace{Detail::nothing};
  partner::Context context{comm, hub, {}, {}, nullptr, nullptr, nullptr, log, trace, 1, 1};
  std::vector<protocol::MeshRelation> relations = relations_of_run(configuration);
  relations.front().is_measured = is_measured;
  Partners partners(context, b, configuration.m2ns,
                    {std::move(relations), configuration.participants, b});
  CHECK(partners.names().empty());
  planning::ProvidedRelation& provided = partners.plans().provided.emplace_back();
  provided.relation = &partners.relations().all().front();
  if (remembers) {
    provided.memory.emplace();
    provided.memory->displacement.allowed = allowed;
  }
  FieldSet fields(config::declared_fields(configuration, b));
  const SmallChanges changes(partners, configuration.schemes, b, fields);
  Renewal renewal{"A", {}, {}};
  CHECK(changes.are_all(renewal) == (kind == "parallel-explicit")); // none
  renewal.own.reset = 1;
  renewal.own.moved_by = 0.1;
  const bool small = changes.are_all(renewal);
  renewal.theirs.is_small = 0;
  CHECK(!changes.are_all(renewal));
  return small;
}

} // namespace

TEST_CASE("changes are small where the last plan allows them and no earlier value matters") {
  CHECK(is_small("parallel-explicit", true, 0.2));
  CHECK(!is_small("parallel-explicit", true, 0.05));
  CHECK(!is_small("parallel-explicit", false, 0.2));
  CHECK(!is_small("serial-explicit", true, 0.2));
  CHECK(!is_small("parallel-explicit", true, 0.2, true)); // small ones mark no ghosts
}
