// SPDX-License-Identifier: BSD-3-Clause
// Calls of a step in the steady state allocate nothing.
#include "allocations.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

using namespace couple;

namespace {

constexpr int windows = 40;
constexpr int warm_up = 20;

/// Names are longer than what a string holds without memory of its own. Implicit schemes iterate as
/// often in one window.
Scenario scenario_of(const std::string& kind, const std::string& acceleration) {
  Scheme scheme{"TheFirstParticipant", "TheSecondParticipant", kind, 1, 0, windows};
  if (scheme.is_implicit()) {
    scheme.max_windows = 1;
    scheme.control = fmt::format(
        R"(<min-iterations value="{0}" /><max-iterations value="{0}" />
<relative-convergence-measure data="{1}" mesh="{2}-Mesh" limit="1e-6" />{3})",
        windows, scheme.second + scheme.first, scheme.second, acceleration);
  }
  Scenario scenario;
  scenario.schemes = {scheme};
  scenario.flows = between_all(scheme);
  return scenario;
}

std::string constant_relaxation() {
  return R"(<acceleration:constant><relaxation value="0.5" /></acceleration:constant>)";
}

void play_one(const Seat& seat, const std::string& other) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  std::vector<isthmus::VertexId> ids(50);
  std::vector<double> positions(100);
  for (std::size_t i = 0; i < 50; ++i) {
    positions[2 * i] = static_cast<double>(i);
  }
  participant.set_mesh_vertices(mesh, positions, ids);
  participant.initialize();
  const std::string writes = seat.participant + other;
  const std::string reads = other + seat.participant;
  std::vector<double> values(50, 1.0);
  long before = 0;
  long steady = 0;
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window == warm_up) {
      before = num_allocations();
    }
    static_cast<void>(participant.requires_writing_checkpoint());
    const double dt = participant.max_time_step_size();
    participant.read_data(mesh, reads, ids, dt, values);
    participant.write_data(mesh, writes, ids, values);
    participant.advance(dt);
    static_cast<void>(participant.requires_reading_checkpoint());
    if (window == windows - 5) { // the other one may say goodbye in the last ones
      steady = num_allocations() - before;
    }
  }
  participant.finalize();
  seat.put(seat.participant, 0, {static_cast<double>(steady)});
}

} // namespace

TEST_CASE("calls of a steady step allocate nothing") {
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"parallel-explicit", ""},
      {"serial-explicit", ""},
      {"parallel-implicit", ""},
      {"serial-implicit", ""},
      {"parallel-implicit", constant_relaxation()},
      {"serial-implicit", constant_relaxation()}};
  for (const auto& [kind, acceleration] : kinds) {
    CAPTURE(kind);
    CAPTURE(acceleration);
    const Scenario scenario = scenario_of(kind, acceleration);
    const Scheme& scheme = scenario.schemes[0];
    const Table table = run(scenario.xml(),
                            {{scheme.first, [&](const Seat& s) { play_one(s, scheme.second); }},
                             {scheme.second, [&](const Seat& s) { play_one(s, scheme.first); }}},
                            in_threads);
    REQUIRE(table.size() == 2);
    for (const auto& [name, entries] : table) {
      CAPTURE(name);
      CHECK(entries.begin()->second[0] == 0);
    }
  }
}
