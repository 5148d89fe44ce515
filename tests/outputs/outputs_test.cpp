// SPDX-License-Identifier: BSD-3-Clause
// All outputs of a participant beside a coupling of two, each of one rank in a thread.
#include "isthmus/outputs/outputs.hpp"
#include "coupling/two_sides.hpp"
#include "ranks.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace isthmus;
using coupling::Side;
using outputs::Outputs;

namespace {

using Values = std::vector<double>;
using Rows = std::vector<Values>;

const Values places{0, 0, 2, 0};

/// "B" exports its mesh, watches the middle of it and the sum over it.
config::Configuration watched_run() {
  config::Configuration configuration = coupling::make_two_sides();
  configuration.schemes.front().kind = config::SchemeKind::parallel_explicit;
  config::Participant& b = configuration.participants.back();
  config::Export csv;
  csv.kind = config::ExportKind::csv;
  csv.directory = "out";
  b.exports = {csv};
  b.watch_points = {{"Near", "B-Mesh", {1.9, 0}, 0}};
  b.watch_integrals = {{"Sum", "B-Mesh", false, 0}};
  return configuration;
}

/// A side and its outputs, of which take_written() is called as a session calls it: before data
/// leave, which a step of an explicit scheme sends at its end.
struct Shown {
  Side& side;
  comm::Comm alone{MPI_COMM_SELF};
  mesh::OwnMeshes meshes;
  Outputs outputs;

  Shown(Side& of, const config::Configuration& configuration)
      : side(of),
        outputs(alone, outputs::shown_meshes(configuration, configuration.participants.back()),
                configuration.participants.back(), side.fields()) {
    meshes.add(side.mesh());
    side.hooks().set_written([this] { outputs.take_written(); });
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  void step(const Values& values) {
    side.step("y", values);
    outputs.show_step(side.coupling());
  }
};

} // namespace

TEST_CASE("outputs show the start and each window, what was read and what was written" *
          on_ranks(1, 1)) {
  const WorkingFolder folder;
  const config::Configuration configuration = watched_run();
  coupling::run(
      configuration, places,
      [](Side& a) {
        a.initialize();
        a.step("x", {10, 20});
        a.step("x", {30, 40});
      },
      [&](Side& b) {
        Shown shown(b, configuration);
        shown.outputs.open(shown.meshes);
        b.initialize();
        shown.outputs.show_start(shown.meshes, b.coupling());
        shown.step({1, 2});
        shown.step({3, 4});
        shown.outputs.finish();
      });
  CHECK(rows_of("out/B-Mesh-B.init.csv") == Rows{{0, 0, 0, 0, 0}, {2, 0, 0, 0, 0}});
  CHECK(rows_of("out/B-Mesh-B.dt1.csv") == Rows{{0, 0, 0, 10, 1}, {2, 0, 0, 20, 2}});
  CHECK(rows_of("out/B-Mesh-B.dt2.csv") == Rows{{0, 0, 0, 30, 3}, {2, 0, 0, 40, 4}});
  CHECK(rows_of("precice-B-watchpoint-Near.log") ==
        Rows{{0, 2, 0, 0, 0}, {1, 2, 0, 20, 2}, {2, 2, 0, 40, 4}});
  CHECK(rows_of("precice-B-watchintegral-Sum.log") == Rows{{0, 0, 0}, {1, 30, 3}, {2, 70, 7}});
}

TEST_CASE("outputs of a run that continues another follow those of the earlier one" *
          on_ranks(1, 1)) {
  const WorkingFolder folder;
  const config::Configuration configuration = watched_run();
  std::optional<coupling::Snapshot> kept[2];
  std::vector<std::byte> bytes;
  coupling::run(
      configuration, places,
      [&](Side& a) {
        a.initialize();
        a.step("x", {10, 20});
        kept[0] = a.coupling().save();
        a.step("x", {-1, -1});
      },
      [&](Side& b) {
        Shown shown(b, configuration);
        shown.outputs.open(shown.meshes);
        b.initialize();
        shown.outputs.show_start(shown.meshes, b.coupling());
        shown.step({1, 2});
        kept[1] = b.coupling().save();
        bytes = shown.outputs.save(*kept[1]);
        shown.step({-1, -1}); // is given up
      });
  REQUIRE((kept[0] && kept[1]));
  std::filesystem::remove("out/B-Mesh-B.init.csv");
  const std::size_t samples = kept[1]->fields[1].samples.size();
  coupling::run(
      configuration, places,
      [&](Side& a) {
        a.initialize(nullptr, kept[0]);
        a.step("x", {30, 40});
      },
      [&](Side& b) {
        Shown shown(b, configuration);
        shown.outputs.reopen(shown.meshes, bytes, *kept[1]);
        CHECK(kept[1]->fields[1].samples.size() + 1 == samples); // the rest is the coupling's
        b.initialize(nullptr, kept[1]);
        shown.outputs.show_start(shown.meshes, b.coupling());
        shown.step({3, 4});
        shown.outputs.finish();
      });
  CHECK_FALSE(std::filesystem::exists("out/B-Mesh-B.init.csv")); // the earlier run has shown it
  CHECK(rows_of("out/B-Mesh-B.dt2.csv") == Rows{{0, 0, 0, 30, 3}, {2, 0, 0, 40, 4}});
  CHECK(rows_of("precice-B-watchpoint-Near.log") ==
        Rows{{0, 2, 0, 0, 0}, {1, 2, 0, 20, 2}, {2, 2, 0, 40, 4}});
}

TEST_CASE("outputs follow a mesh that becomes another one" * on_ranks(1, 1)) {
  const WorkingFolder folder;
  config::Configuration configuration = watched_run();
  configuration.run.allow_remeshing = true;
  coupling::run(
      configuration, places,
      [](Side& a) {
        a.initialize();
        a.step("x", {10, 20});
        a.coupling().join_resets(a.coupling().resets());
        a.step("x", {30, 40}); // for the old vertices
      },
      [&](Side& b) {
        Shown shown(b, configuration);
        shown.outputs.open(shown.meshes);
        b.initialize();
        shown.outputs.show_start(shown.meshes, b.coupling());
        shown.step({1, 2});
        b.replace({0, 0, 1, 0, 1.8, 0});
        b.coupling().join_resets(b.coupling().resets());
        b.step("y", {3, 4, 5});
        CHECK(b.coupling().renewed_meshes().count("B-Mesh") == 1);
        shown.outputs.renew(shown.meshes, b.coupling());
        shown.outputs.show_step(b.coupling());
      });
  const Rows rows = rows_of("out/B-Mesh-B.dt2.csv");
  REQUIRE(rows.size() == 3);
  CHECK(rows[2][0] == 1.8);
  const Rows near = rows_of("precice-B-watchpoint-Near.log");
  REQUIRE(near.size() == 3);
  CHECK(near[1][1] == 2);
  CHECK(near[2][1] == 1.8); // the closest place now
  CHECK(near[2][4] == 5);
  CHECK(rows_of("precice-B-watchintegral-Sum.log").back().back() == 12);
}

TEST_CASE("who wants no outputs watches nothing" * on_ranks(1, 1)) {
  const WorkingFolder folder;
  const config::Configuration configuration = coupling::make_two_sides();
  fields::FieldSet fields(
      config::declared_fields(configuration, configuration.participants.back()));
  const comm::Comm alone;
  Outputs outputs(alone, outputs::shown_meshes(configuration, configuration.participants.back()),
                  configuration.participants.back(), fields);
  for (const fields::Field* field : fields.all()) {
    CHECK(field->observed() == fields::Field::Observed::never);
  }
  outputs.finish(); // was never opened
  CHECK(std::filesystem::is_empty("."));
}
