// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change in a multi scheme of three: of its controller, of others, of all.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 6;
constexpr int num_windows = 5;

/// C controls A and B and maps: x_A = (1 + t)(1 + v) + c / 4, x_B = 2 + v + c / 4 and
/// c = (x_A + x_B) / 2 + 1 at vertex v.
double solution(const std::string& name, int vertex, double t) {
  const double a = (1 + t) * (1 + vertex);
  const double b = 2 + vertex;
  const double c = ((a + b) / 2 + 1) / (1 - 0.25);
  return name == "C" ? c : (name == "A" ? a : b) + c / 4;
}

std::string xml(const std::string& acceleration) {
  Scheme scheme{.first = "A",
                .second = "B",
                .kind = "multi",
                .max_windows = num_windows,
                .others = {"C"},
                .controller = "C"};
  scheme.control =
      "<max-iterations value=\"60\"/><relative-convergence-measure data=\"XA\" mesh=\"A-Mesh\" "
      "limit=\"1e-10\"/><relative-convergence-measure data=\"C\" mesh=\"B-Mesh\" "
      "limit=\"1e-10\"/>" +
      acceleration;
  Scenario scenario{.schemes = {scheme}, .flows = {}, .remeshing = true};
  for (const std::string side : {"A", "B"}) {
    scenario.flows.push_back({.from = side, .to = "C", .data = "X" + side});
    scenario.flows.push_back(
        {.from = "C", .to = side, .data = "C", .mapping = {.direction = "write"}});
  }
  return scenario.xml();
}

/// A in window 1, C in 2, A and B in 3, all in 4.
bool resets(const std::string& name, int window) {
  return window == 4 || (name == "C" ? window == 2 : window == 3 || (name == "A" && window == 1));
}

/// One of the three, whose vertices wander from rank to rank and change their order.
void play_part(const Seat& seat) {
  const std::string& name = seat.participant;
  const std::string mesh = name + "-Mesh";
  isthmus::Participant participant = seat.make();
  DealtLine line = wandering_line(seat.launch, num_vertices, 0);
  std::vector<isthmus::VertexId> ids = define_line(participant, mesh, line);
  participant.initialize();
  bool repeats = false;
  for (int window = 0; participant.is_coupling_ongoing(); window += repeats ? 0 : 1) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::vector<double> read(ids.size());
    std::vector<double> other(ids.size());
    const bool is_reset = !repeats && resets(name, window);
    if (is_reset) {
      participant.reset_mesh(mesh);
      line = wandering_line(seat.launch, num_vertices, window);
      ids = define_line(participant, mesh, line);
      read.assign(ids.size(), 0.0); // nothing is known on the new mesh yet
      other = read;
    } else {
      participant.read_data(mesh, name == "C" ? "XA" : "C", ids, 1, read);
      if (name == "C") {
        participant.read_data(mesh, "XB", ids, 1, other);
      }
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const int v = line.numbers[i];
      values.push_back(name == "A"   ? (2.0 + window) * (1 + v) + read[i] / 4
                       : name == "B" ? 2 + v + read[i] / 4
                                     : (read[i] + other[i]) / 2 + 1);
    }
    participant.write_data(mesh, name == "C" ? "C" : "X" + name, ids, values);
    participant.advance(1);
    repeats = participant.requires_reading_checkpoint();
    for (std::size_t i = 0; !repeats && i < ids.size(); ++i) {
      seat.put(fmt::format("{} {}", name, window), line.numbers[i], {values[i]});
    }
  }
  participant.finalize();
}

} // namespace

TEST_CASE("a multi scheme of three converges while meshes of any of them change" *
          on_ranks_for(3)) {
  const std::string newton =
      "<acceleration:IQN-ILS><data name=\"XA\" mesh=\"A-Mesh\"/><data name=\"XB\" mesh=\"B-Mesh\"/>"
      "<initial-relaxation value=\"0.5\"/><max-used-iterations value=\"20\"/>"
      "<time-windows-reused value=\"2\"/></acceleration:IQN-ILS>";
  for (const std::string& acceleration : {std::string(), newton}) {
    CAPTURE(acceleration);
    for (const Deal& deal : deals(3)) {
      const Table table =
          run(xml(acceleration), {{"A", play_part}, {"B", play_part}, {"C", play_part}}, deal);
      for (const std::string name : {"A", "B", "C"}) {
        for (int window = 0; window < num_windows; ++window) {
          const auto& all = table.at(fmt::format("{} {}", name, window));
          CHECK(all.size() == num_vertices);
          for (const auto& [vertex, value] : all) {
            CHECK(value[0] == doctest::Approx(solution(name, vertex, window + 1)).epsilon(1e-7));
          }
        }
      }
    }
  }
}
