// SPDX-License-Identifier: BSD-3-Clause
// Solvers that take another number of steps in each iteration: A holds T = 1 + t + a F at each time
// of its steps, B holds F = b T + t / 2; a and b vary from vertex to vertex. The solution is linear
// in time, so that it does not depend on the steps.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 3;
constexpr int num_windows = 3;

double a(int vertex) {
  return 0.5 - 0.2 * vertex;
}
double b(int vertex) {
  return -0.6 + 0.1 * vertex;
}
double solution(const std::string& name, int vertex, double t) {
  const double of_a = (1 + t + a(vertex) * 0.5 * t) / (1 - a(vertex) * b(vertex));
  return name == "A" ? of_a : b(vertex) * of_a + 0.5 * t;
}

std::string xml(const std::string& kind, const std::string& acceleration, bool substeps) {
  Scheme scheme{.first = "A", .second = "B", .kind = kind, .max_windows = num_windows};
  scheme.control =
      "<max-iterations value=\"100\"/>"
      "<relative-convergence-measure data=\"F\" mesh=\"B-Mesh\" limit=\"1e-10\"/>"
      "<relative-convergence-measure data=\"T\" mesh=\"A-Mesh\" limit=\"1e-10\"/>" +
      acceleration;
  return Scenario{.schemes = {scheme}, .flows = both_ways(true, substeps)}.xml();
}

int num_steps(const std::string& name, int window, int iteration) {
  return name == "A" ? 1 + (iteration + window) % 3 : 1 + (2 * iteration + window) % 4;
}

/// Puts of the last iteration of each window the largest error at its end and inside of it, and how
/// many iterations it took.
void play_side(const Seat& seat) {
  const std::string& name = seat.participant;
  const std::string mesh = name + "-Mesh";
  const std::string reads = name == "A" ? "F" : "T";
  const std::string writes = name == "A" ? "T" : "F";
  isthmus::Participant participant = seat.make();
  const DealtLine line = dealt_line(seat.launch, num_vertices);
  const std::vector<isthmus::VertexId> ids = define_line(participant, mesh, line);
  std::vector<double> values;
  for (const int v : line.numbers) {
    values.push_back(solution(name, v, 0));
  }
  CHECK(participant.requires_initial_data());
  participant.write_data(mesh, writes, ids, values);
  participant.initialize();
  int iteration = 1;
  for (int window = 0; participant.is_coupling_ongoing(); ++iteration) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::array<double, 2> largest{0, 0};
    const int steps = num_steps(name, window, iteration);
    for (int step = 1; step <= steps; ++step) {
      const double t = window + step / static_cast<double>(steps);
      const double dt =
          step == steps ? participant.max_time_step_size() : 1 / static_cast<double>(steps);
      participant.read_data(mesh, reads, ids, dt, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const int v = line.numbers[i];
        values[i] = name == "A" ? 1 + t + a(v) * values[i] : b(v) * values[i] + 0.5 * t;
        double& found = largest[step == steps ? 0 : 1];
        found = std::max(found, std::abs(values[i] - solution(name, v, t)));
      }
      participant.write_data(mesh, writes, ids, values);
      participant.advance(dt);
    }
    if (!participant.requires_reading_checkpoint()) {
      CHECK(participant.is_time_window_complete());
      seat.put(name, window, {largest[0], largest[1], static_cast<double>(iteration)});
      iteration = 0;
      ++window;
    }
  }
  participant.finalize();
}

const std::string constant =
    "<acceleration:constant><relaxation value=\"0.7\"/></acceleration:constant>";

std::string named(const std::string& name, bool both, const std::string& more) {
  return fmt::format(
      "<acceleration:{0}><data name=\"F\" mesh=\"B-Mesh\"/>{1}{2}</acceleration:{3}>", name,
      both ? "<data name=\"T\" mesh=\"A-Mesh\"/>" : "", more, name.substr(0, name.find(' ')));
}

} // namespace

/// Measures look at the end of a window. Inside of it relaxation by a constant converges, too;
/// other methods keep the times of their first samples, between which they interpolate.
TEST_CASE(
    "relaxed and reduced iterations converge while solvers take other steps in each of them") {
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    const bool both = kind == "parallel-implicit";
    for (const std::string& acceleration :
         {std::string(), constant, named("aitken", both, ""),
          named("IQN-ILS", both, "<time-windows-reused value=\"2\"/>"),
          named("IQN-IMVJ", both, "")}) {
      for (const bool substeps : {true, false}) {
        CAPTURE(kind);
        CAPTURE(acceleration);
        CAPTURE(substeps);
        const bool inside = !substeps || acceleration.empty() || acceleration == constant;
        for (const Deal& deal : deals(2)) {
          const Table table =
              run(xml(kind, acceleration, substeps), {{"A", play_side}, {"B", play_side}}, deal);
          for (const std::string name : {"A", "B"}) {
            for (const auto& [window, found] : table.at(name)) {
              CHECK(found[0] < 1e-7);
              CHECK((found[1] < 1e-6 || !inside));
              CHECK(found[2] > 1);
              CHECK(found[2] < 100);
            }
          }
        }
      }
    }
  }
}
