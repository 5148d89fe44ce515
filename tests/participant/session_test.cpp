// SPDX-License-Identifier: BSD-3-Clause
// A session before it has met a partner: what its parts hold, and what they refuse.
#include "isthmus/participant/session/session.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/participant/session/accessed_meshes.hpp"
#include "isthmus/participant/session/coupled_run.hpp"
#include "isthmus/participant/session/duties.hpp"
#include "isthmus/participant/session/own_ranks.hpp"
#include "isthmus/participant/session/partner_links.hpp"
#include "isthmus/participant/session/provided_meshes.hpp"
#include "isthmus/participant/session/solver_data.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <fstream>
#include <string>

using namespace isthmus;
using namespace isthmus::participant;
using namespace couple;

namespace {

/// The file of a run in which B reads on its own mesh, and on that of A, what A writes.
std::string write_case() {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                    {{.from = "A", .to = "B", .data = "Heat", .initialize = true}}};
  scenario.connections.directory = ".";
  std::ofstream("case.xml") << scenario.xml();
  return "case.xml";
}

const MPI_Comm self = MPI_COMM_SELF;

} // namespace

TEST_CASE("the parts of a session before its partner comes") {
  const WorkingDirectory here;
  if (here.is_root()) {
    const Launch launch{.communicator = &self};
    bool met = false;
    Session session("A", write_case(), launch, met);
    ProvidedMeshes& provided = session.provided();
    CHECK(provided.has("A-Mesh"));
    CHECK_FALSE(provided.has("B-Mesh"));
    CHECK(provided.is_open("A-Mesh"));
    CHECK_FALSE(provided.requires_connectivity("A-Mesh"));
    CHECK(provided.set_vertex("A-Mesh", std::array{0.0, 1.0}) == 0);
    std::array<VertexId, 2> ids{};
    provided.set_vertices("A-Mesh", std::array{2.0, 3.0, 4.0, 5.0}, ids);
    CHECK(ids == std::array{1, 2});
    CHECK(provided.at("A-Mesh").num_vertices() == 3);
    CHECK_THROWS_AS(provided.reset("A-Mesh"), Error);

    SolverData& data = session.data();
    CHECK(data.mesh_dimensions("A-Mesh") == 2);
    CHECK(data.dimensions("A-Mesh", "Heat") == 1);
    CHECK(data.num_vertices("A-Mesh") == 3);
    data.write("A-Mesh", "Heat", ids, std::array{1.0, 2.0});
    CHECK_THROWS_AS(data.write("A-Mesh", "Heat", std::array{3}, std::array{1.0}), Error);
    CHECK_THROWS_AS(session.accessed().set_region("A-Mesh", std::array{0., 1., 0., 1.}), Error);

    CHECK_THROWS_AS(session.initialize(), Error); // initial data are owed
    CHECK(session.duties().requires_initial_data());
    CHECK_THROWS_AS((void)session.duties().requires_writing_checkpoint(), Error);
    CHECK_THROWS_AS((void)session.is_coupling_ongoing(), Error);
    CHECK(session.statistics().messages_sent == 0);
    CHECK(session.restarted_from().window == 0);
    session.leave("enough");
    CHECK_THROWS_AS(session.initialize(), Error);
  }
}

TEST_CASE("ranks of one participant notice nobody, and a door is opened and closed") {
  const WorkingDirectory here;
  if (here.is_root()) {
    OwnRanks ranks("A");
    bool met = false;
    ranks.gather(
        {.communicator = &self}, [] {}, met);
    CHECK(ranks.participant() == "A");
    CHECK(ranks.comm().size() == 1);
    CHECK_FALSE(OwnRanks::has_mpi_ended());
    ranks.begin_step();
    CHECK_NOTHROW(ranks.check_others());
    CHECK(ranks.raise_alarm("units", false) == "units"); // of a rank among several it says which
    const config::Configuration configuration = config::read(write_case());
    PartnerLinks partners;
    const Log log;
    Trace trace(Detail::nothing);
    partners.open(ranks.comm(), configuration.m2ns,
                  {"A", 0, 1, configuration.fingerprints.elements}, log, trace);
    CHECK(partners.context().endpoint != nullptr);
    CHECK(partners.context().identity.participant == "A");
    CHECK(partners.hub().size() == 0);
    partners.abort("units", "units");
    CoupledRun run(ranks.comm(), log, configuration, *configuration.find_participant("A"));
    CHECK_FALSE(run.continues());
    CHECK(run.fields().find("A-Mesh", "Heat") != nullptr);
  }
}
