// SPDX-License-Identifier: BSD-3-Clause
// Meshes without any vertex: their data are of no length, and nothing else is different.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>

using namespace couple;

namespace {

std::string xml(const std::string& scheme, const std::string& control,
                const std::string& of_a = "") {
  const Scheme one{.first = "A",
                   .second = "B",
                   .kind = scheme,
                   .max_windows = 4,
                   .control = control,
                   .controller = "B"};
  Scenario scenario{{one},
                    {{.from = "A",
                      .to = "B",
                      .data = "Force",
                      .mapping = {.direction = "write", .constraint = "conservative"},
                      .substeps = one.is_implicit()},
                     {.from = "B",
                      .to = "A",
                      .data = "Heat",
                      .vector = true,
                      .mapping = {.kind = "nearest-projection"},
                      .initialize = true,
                      .substeps = one.is_implicit()}}};
  scenario.remeshing = true;
  scenario.inside["A"] = of_a;
  return scenario.xml();
}

/// Vertices of a participant on all of its ranks, by window.
using Counts = std::array<int, 4>;

/// The vertices are dealt in turn and stand on a line.
class Solver {
 public:
  Solver(const Seat& seat, const Counts& counts)
      : seat_(seat),
        is_a_(seat.participant == "A"),
        mesh_(is_a_ ? "A-Mesh" : "B-Mesh"),
        counts_(counts),
        participant_(seat.make()) {}

  void run() {
    define(0);
    if (participant_.requires_initial_data()) {
      write();
    }
    participant_.initialize();
    for (std::size_t window = 0; window < counts_.size();) {
      static_cast<void>(participant_.requires_writing_checkpoint());
      write();
      participant_.advance(1);
      if (participant_.requires_reading_checkpoint()) {
        continue;
      }
      REQUIRE(participant_.is_time_window_complete());
      read(window++);
      if (window < counts_.size() && counts_[window] != counts_[window - 1]) {
        participant_.reset_mesh(mesh_);
        define(window);
      }
    }
    CHECK(!participant_.is_coupling_ongoing());
    participant_.finalize();
  }

 private:
  void define(std::size_t window) {
    const DealtLine line = dealt_line(seat_.launch, counts_[window], is_a_ ? 0.25 : 0.0);
    ids_.resize(line.numbers.size());
    participant_.set_mesh_vertices(mesh_, line.places, ids_);
  }

  void write() {
    const std::vector<double> values(ids_.size() * (is_a_ ? 1 : 2), is_a_ ? 1.0 : 2.0);
    participant_.write_data(mesh_, is_a_ ? "Force" : "Heat", ids_, values);
  }

  void read(std::size_t window) {
    std::vector<double> values(ids_.size() * (is_a_ ? 2 : 1));
    participant_.read_data(mesh_, is_a_ ? "Heat" : "Force", ids_, 0, values);
    double sum = 0;
    for (const double value : values) {
      sum += value;
    }
    seat_.put(fmt::format("{} {}", seat_.participant, window), seat_.launch.rank, {sum});
  }

  const Seat& seat_;
  bool is_a_;
  std::string mesh_;
  Counts counts_;
  isthmus::Participant participant_;
  std::vector<int> ids_;
};

std::vector<Role> roles_of(const Counts& of_a, const Counts& of_b) {
  return {{"A", [of_a](const Seat& seat) { Solver(seat, of_a).run(); }},
          {"B", [of_b](const Seat& seat) { Solver(seat, of_b).run(); }}};
}

const std::string measure =
    R"(<relative-convergence-measure data="Heat" mesh="B-Mesh" limit="1e-3" /><max-iterations value="5" />)";

std::string quasi_newton(const std::string& kind) {
  return fmt::format(
      R"({}<acceleration:{}><initial-relaxation value="0.5" /><data name="Heat" mesh="B-Mesh" /></acceleration:{}>)",
      measure, kind, kind);
}

const std::vector<std::string> controls{
    measure,
    measure + R"(<acceleration:constant><relaxation value="0.5" /></acceleration:constant>)",
    measure + R"(<acceleration:aitken><data name="Heat" mesh="B-Mesh" /></acceleration:aitken>)",
    quasi_newton("IQN-ILS"), quasi_newton("IQN-IMVJ")};

} // namespace

TEST_CASE(
    "schemes of every kind go on while meshes have no vertices, and when they get and lose them") {
  struct Motion {
    Counts of_a;
    Counts of_b;
  };
  // vertices of A find their place on the mesh of B
  const std::vector<Motion> motions{
      {{0, 0, 0, 0}, {0, 0, 0, 0}}, {{0, 0, 0, 0}, {3, 3, 3, 3}}, {{0, 0, 5, 0}, {0, 4, 4, 4}}};
  for (const std::string scheme :
       {"parallel-explicit", "serial-explicit", "parallel-implicit", "serial-implicit", "multi"}) {
    const bool implicit = scheme.find("explicit") == std::string::npos;
    for (std::size_t c = 0; c < (implicit ? controls.size() : 1); ++c) {
      for (const Motion& motion : motions) {
        CAPTURE(scheme);
        CAPTURE(c);
        for (const Deal& deal : deals(2)) {
          const Table table = couple::run(xml(scheme, implicit ? controls[c] : ""),
                                          roles_of(motion.of_a, motion.of_b), deal);
          for (int window = 0; window < 4; ++window) {
            // in the last iteration all that goes from A to B has come; relaxed data go back
            const double force = sums(table, fmt::format("B {}", window)).at(0);
            CHECK(force == motion.of_a[std::size_t(window)]);
            const double heat = sums(table, fmt::format("A {}", window)).at(0);
            CHECK((heat > 0) == (motion.of_a[std::size_t(window)] > 0));
          }
        }
      }
    }
  }
}

TEST_CASE("outputs of a mesh without vertices do not disturb the coupling") {
  const std::string outputs =
      R"(<export:vtu directory="shown" /><export:csv directory="shown" />)"
      R"(<watch-integral name="All" mesh="A-Mesh" scale-with-connectivity="true" />)";
  for (const Counts& of_b : {Counts{0, 0, 0, 0}, Counts{3, 3, 3, 3}}) {
    for (const Deal& deal : deals(2)) {
      const WorkingDirectory here;
      const Table table =
          couple::run(xml("parallel-explicit", "", outputs), roles_of({0, 0, 0, 0}, of_b), deal);
      CHECK(sums(table, "B 3").at(0) == 0);
      if (here.is_root()) {
        CHECK(std::filesystem::exists("precice-A-watchintegral-All.log"));
      }
    }
  }
}

TEST_CASE("a received mesh without vertices gives access to none") {
  const Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 2}},
      {{.from = "A", .to = "B", .data = "Force", .mapping = {.kind = "", .direction = "write"}},
       {.from = "B", .to = "A", .data = "Heat", .mapping = {.kind = ""}}}};
  const std::string text = scenario.xml();
  const auto play_part = [](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const bool is_a = seat.participant == "A";
    if (is_a) {
      participant.set_mesh_access_region("B-Mesh", std::vector<double>{0, 1, 0, 1});
    }
    participant.initialize();
    CHECK(participant.mesh_vertex_size("B-Mesh") == 0);
    while (participant.is_coupling_ongoing()) {
      participant.write_data("B-Mesh", is_a ? "Force" : "Heat", {}, {});
      participant.read_data("B-Mesh", is_a ? "Heat" : "Force", {}, 1, {});
      participant.advance(1);
    }
    participant.finalize();
    seat.put("played", seat.launch.rank, {1});
  };
  for (const Deal& deal : deals(2)) {
    CHECK(couple::run(text, {{"A", play_part}, {"B", play_part}}, deal).at("played").size() >= 2);
  }
}
