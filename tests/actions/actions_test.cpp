// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/actions.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/config/read/read.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

const config::Configuration& configuration() {
  couple::Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 1}},
      {{.from = "A", .to = "B", .data = "Force"}, {.from = "A", .to = "B", .data = "Other"}}};
  scenario.inside["A"] = R"(<action:divide-by-area timing="write-mapping-post" mesh="A-Mesh">
<target-data name="Force" /></action:divide-by-area>
<action:summation timing="read-mapping-post" mesh="A-Mesh"><source-data name="Force" />
<source-data name="Other" /><target-data name="Other" /></action:summation>)";
  static const config::Configuration read = config::parse(scenario.xml(), "c.xml");
  return read;
}

/// Three vertices on a line, with edges of lengths 1 and 3 between them.
mesh::Mesh line_mesh() {
  mesh::Mesh mesh("A-Mesh", 2);
  mesh.add_vertices(std::array{0., 0., 1., 0., 4., 0.});
  mesh.add_edges(std::array{0, 1, 1, 2});
  return mesh;
}

} // namespace

TEST_CASE("an action by area divides each sample once, and refuses a vertex without area") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const config::Participant& self = configuration().participants[0];
  fields::FieldSet fields(config::declared_fields(configuration(), self));
  const Log log;
  fields::Plans plans;
  const fields::PlannedFields planned(plans, configuration().meshes, self, fields);
  actions::Actions actions(comm, log, self, fields, planned);
  mesh::Mesh mesh = line_mesh();
  mesh::OwnMeshes meshes;
  meshes.add(mesh);
  actions.prepare(meshes);
  fields::Field& force = fields.at("A-Mesh", "Force");
  force.fit(3);
  force.write(std::array{0, 1, 2}, std::array{1., 8., 3.});
  force.store_written(1);
  for (int turn = 0; turn < 2; ++turn) { // the second changes nothing
    actions.run(config::ActionTiming::write_mapping_post, 1);
    std::vector<double> values(3);
    force.wave().evaluate(1, std::array{0, 1, 2}, 1, values);
    CHECK(values == std::vector{2., 4., 2.}); // areas 0.5, 2, 1.5
  }
  const int last = comm.size() - 1;
  if (comm.rank() == last) { // which all fail for
    mesh.add_vertices(std::array{9., 9.});
  }
  try {
    actions.prepare(meshes);
    FAIL("accepted");
  } catch (const Error& error) {
    const std::string whose = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
    CHECK(
        std::string(error.what()).starts_with(whose + R"(<action:divide-by-area mesh="A-Mesh">)"));
    CHECK(std::string(error.what()).find("vertex id 3 has no area") != std::string::npos);
  }
}
