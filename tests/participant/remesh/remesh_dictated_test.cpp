// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change while the steps of the first participant are the windows.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 6;
constexpr std::array steps{0.5, 0.25, 0.75, 1.0, 0.5};
constexpr double end = 3;

std::string xml(const std::string& kind) {
  Scheme scheme{.first = "A", .second = "B", .kind = kind, .window = 0, .max_time = end};
  scheme.control = scheme.is_implicit() ? "<max-iterations value=\"2\"/>" : "";
  return Scenario{.schemes = {scheme}, .flows = both_ways(false, false), .remeshing = true}.xml();
}

/// A before its steps 1 and 3, B before its steps 2 and 3, 0 being the first.
bool resets(const std::string& name, int window) {
  return window == 3 || window == (name == "A" ? 1 : 2);
}

double value(const std::string& name, int vertex, double t) {
  return (name == "A" ? 1 : -1) * (1 + vertex) + 10 * t;
}

/// Vertices that stay where they are, but wander from rank to rank.
void play_side(const Seat& seat) {
  const std::string& name = seat.participant;
  const bool first = name == "A";
  const std::string mesh = name + "-Mesh";
  isthmus::Participant participant = seat.make();
  DealtLine line = wandering_line(seat.launch, num_vertices, 0);
  std::vector<isthmus::VertexId> ids = define_line(participant, mesh, line);
  const auto check_read = [&](double time, double t) {
    std::vector<double> values(ids.size());
    participant.read_data(mesh, first ? "F" : "T", ids, time, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(values[i] == value(first ? "B" : "A", line.numbers[i], t));
    }
  };
  participant.initialize();
  bool repeats = false;
  double t = 0;
  for (int window = 0; participant.is_coupling_ongoing(); window += repeats ? 0 : 1) {
    static_cast<void>(participant.requires_writing_checkpoint());
    const double limit = participant.max_time_step_size();
    const double dt = first ? steps.at(static_cast<std::size_t>(window)) : limit;
    if (!first) {
      CHECK(dt == steps.at(static_cast<std::size_t>(window)));
      check_read(dt, t + dt); // what A has computed
    }
    if (!repeats && resets(name, window)) {
      participant.reset_mesh(mesh);
      line = wandering_line(seat.launch, num_vertices, window);
      ids = define_line(participant, mesh, line);
    }
    std::vector<double> values;
    for (const int v : line.numbers) {
      values.push_back(value(name, v, t + dt));
    }
    participant.write_data(mesh, first ? "T" : "F", ids, values);
    participant.advance(dt);
    repeats = participant.requires_reading_checkpoint();
    if (first) {
      check_read(repeats ? dt : 0, t + dt);
    }
    t += repeats ? 0 : dt;
  }
  CHECK(t == end);
  participant.finalize();
}

} // namespace

TEST_CASE("meshes change while the steps of the first participant are the windows") {
  for (const std::string kind : {"serial-explicit", "serial-implicit"}) {
    CAPTURE(kind);
    for (const Deal& deal : deals(2)) {
      static_cast<void>(run(xml(kind), {{"A", play_side}, {"B", play_side}}, deal));
    }
  }
}
