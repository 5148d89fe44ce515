// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/coupling.hpp"

#include "isthmus/acceleration/make.hpp"
#include "isthmus/coupling/implicit_step.hpp"
#include "isthmus/coupling/remeshing/remeshing.hpp"
#include "isthmus/coupling/restart.hpp"
#include "isthmus/coupling/snapshot.hpp"
#include "isthmus/coupling/step/hooks.hpp"
#include "isthmus/coupling/step/step_exchange.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "two_sides.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isthmus::coupling {

namespace {

using Values = std::vector<double>;

const Values places{0, 0, 1, 0};

} // namespace

TEST_CASE("what is written in a window is read by the partner in the next one") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  configuration.schemes.front().kind = config::SchemeKind::parallel_explicit;
  std::vector<Values> read_by_a;
  std::vector<Values> read_by_b;
  run(
      configuration, places,
      [&](Side& a) {
        a.initialize();
        for (double window = 1; a.coupling().schedule().is_ongoing(); ++window) {
          read_by_a.push_back(a.read("y"));
          a.step("x", {window, 10 * window});
        }
        CHECK(a.coupling().schedule().windows_done() == 2);
        REQUIRE(a.hooks().called().size() > 1);
        CHECK(a.hooks().called()[0] == "written"); // initial data, of which there are none
        CHECK(a.hooks().called()[1] == "received");
      },
      [&](Side& b) {
        b.initialize();
        for (double window = 1; b.coupling().schedule().is_ongoing(); ++window) {
          read_by_b.push_back(b.read("x"));
          b.step("y", {-window, -10 * window});
          CHECK(b.coupling().is_window_complete());
          CHECK(!b.coupling().repeats_window());
        }
      });
  CHECK(read_by_a == std::vector<Values>{{0, 0}, {-1, -10}});
  CHECK(read_by_b == std::vector<Values>{{0, 0}, {1, 10}});
}

TEST_CASE("a window is repeated until the leader finds the fixed point") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  config::CouplingScheme& scheme = configuration.schemes.front();
  config::ConvergenceMeasure measure;
  measure.data = "x";
  measure.mesh = "B-Mesh";
  measure.limit = 1e-10;
  scheme.measures = {measure};
  scheme.acceleration.emplace();
  int iterations[2] = {0, 0};
  Values last_x;
  Values last_y;
  run(
      configuration, places,
      [&](Side& a) {
        a.initialize();
        CHECK(a.coupling().starts_iterating());
        while (a.coupling().schedule().is_ongoing()) { // x = y + (1, 2)
          const Values y = a.read("y");
          a.step("x", {y[0] + 1, y[1] + 2});
          ++iterations[0];
        }
        last_y = a.read("y");
      },
      [&](Side& b) {
        b.initialize(acceleration::make_aitken({0.5, {}}));
        while (b.coupling().schedule().is_ongoing()) { // y = x / 2
          const Values x = b.read("x");
          b.step("y", {x[0] / 2, x[1] / 2});
          ++iterations[1];
          CHECK(b.coupling().repeats_window() != b.coupling().is_window_complete());
        }
        last_x = b.read("x");
      });
  CHECK(iterations[0] == iterations[1]);
  CHECK(iterations[0] > 4);
  CHECK(last_x[0] == doctest::Approx(2));
  CHECK(last_x[1] == doctest::Approx(4));
  CHECK(last_y[1] == doctest::Approx(2));
}

TEST_CASE("a mesh that is reset between two windows brings its data to its new vertices") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  configuration.run.allow_remeshing = true;
  configuration.schemes.front().kind = config::SchemeKind::parallel_explicit;
  Values read_by_a;
  Values read_by_b;
  run(
      configuration, places,
      [&](Side& a) {
        a.initialize();
        a.step("x", {1, 2});
        a.coupling().join_resets(a.coupling().resets());
        a.step("x", {3, 4}); // for the old vertices
        CHECK(a.coupling().renewed_meshes() == std::set<std::string>{"B-Mesh"});
        CHECK(a.coupling().planned_fields().accessed("B-Mesh")->num_inside == 3);
        read_by_a = a.read("y");
      },
      [&](Side& b) {
        b.initialize();
        b.step("y", {5, 6});
        CHECK(b.coupling().is_between_windows());
        b.replace({0, 0, 5, 5, 1, 0.1});
        b.coupling().join_resets(b.coupling().resets());
        CHECK(b.coupling().resets() == 1);
        b.step("y", {7, 8, 9});
        CHECK(b.coupling().resets() == 0);
        read_by_b = b.read("x");
      });
  CHECK(read_by_a == Values{7, 8, 9});
  CHECK(read_by_b == Values{3, 4, 4}); // of the nearest old vertices
}

TEST_CASE("a later run goes on from what was kept, as the first one does") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  configuration.schemes.front().kind = config::SchemeKind::parallel_explicit;
  std::optional<Snapshot> kept[2];
  run(
      configuration, places,
      [&](Side& a) {
        a.initialize();
        a.step("x", {1, 2});
        kept[0] = a.coupling().save();
        a.step("x", {3, 4});
      },
      [&](Side& b) {
        b.initialize();
        b.step("y", {5, 6});
        kept[1] = b.coupling().save();
        b.step("y", {7, 8});
      });
  REQUIRE((kept[0] && kept[1]));
  CHECK(kept[1]->point.window == 1);
  CHECK(kept[1]->point.time == 1);
  const std::vector<FieldRecord>& of_b = kept[1]->fields;
  REQUIRE(of_b.size() == 2);
  CHECK(of_b[0].name == "B-Mesh:x");
  CHECK(of_b[0].is_provided);
  CHECK(of_b[0].dimensions == 2);
  CHECK(of_b[0].width == 1);
  CHECK(of_b[0].coordinates == places);
  CHECK(of_b[0].samples == std::vector<Values>{{1, 2}}); // what A has written
  REQUIRE(kept[0]->fields.size() == 4); // those that travel, and those of the solver
  CHECK(kept[0]->fields[3].name == "B-Mesh:y of the solver");
  CHECK_FALSE(kept[0]->fields[3].is_provided);
  CHECK(kept[0]->fields[3].coordinates == places);
  Values read_by_a;
  Values read_by_b;
  run(
      configuration, places,
      [&](Side& a) {
        a.initialize(nullptr, kept[0]);
        read_by_a = a.read("y");
        a.step("x", {3, 4});
        CHECK(!a.coupling().schedule().is_ongoing());
      },
      [&](Side& b) {
        b.initialize(nullptr, kept[1]);
        CHECK(b.coupling().schedule().time() == 1);
        read_by_b = b.read("x");
        b.step("y", {7, 8});
      });
  CHECK(read_by_a == Values{5, 6});
  CHECK(read_by_b == Values{1, 2});
}

} // namespace isthmus::coupling
