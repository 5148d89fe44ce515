// SPDX-License-Identifier: BSD-3-Clause
// Waveforms of higher degree in implicit schemes: polynomials in time of that degree are read
// exactly at any time of a window, from the first iteration that has them.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_vertices = 3;

/// Of degree `degree`, 0 at the start, other coefficients for each writer and vertex.
double polynomial(int degree, const std::string& writer, int vertex, double t) {
  double value = 0;
  for (int k = 1; k <= degree; ++k) {
    value += (0.5 + (writer[0] - 'A') + 0.25 * vertex - 0.3 * k) * std::pow(t, k);
  }
  return value;
}

/// Writes polynomials, reads between its own steps, of which a window has so many; puts the largest
/// error of all iterations in which the data of this window has come.
void play_part(const Seat& seat, const Scenario& scenario, int degree, int num_steps) {
  isthmus::Participant participant = seat.make();
  const std::string& self = seat.participant;
  const std::string mesh = self + "-Mesh";
  const DealtLine line = dealt_line(seat.launch, num_vertices);
  const std::vector<int>& vertices = line.numbers;
  const std::vector<isthmus::VertexId> ids = define_line(participant, mesh, line);
  participant.initialize();
  const Scheme& scheme = scenario.schemes.front();
  const bool follows = scheme.kind == "serial-implicit" && scheme.second == self;
  std::vector<double> values(ids.size());
  double t = 0;
  double start = 0;
  double largest = 0;
  int iteration = 1;
  while (participant.is_coupling_ongoing()) {
    start = participant.requires_writing_checkpoint() ? t : start;
    const double dt = 1.0 / num_steps;
    for (const Flow& flow : scenario.flows) {
      if (flow.to == self && (iteration > 1 || follows)) {
        for (const double part : {0.0, 0.3, 0.5, 0.9, 1.0}) {
          participant.read_data(mesh, flow.data, ids, part * dt, values);
          for (std::size_t i = 0; i < ids.size(); ++i) {
            const double exact = polynomial(degree, flow.from, vertices[i], t + part * dt);
            largest = std::max(largest, std::abs(values[i] - exact));
          }
        }
      }
    }
    for (const Flow& flow : scenario.flows) {
      if (flow.from == self) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
          values[i] = polynomial(degree, self, vertices[i], t + dt);
        }
        participant.write_data(mesh, flow.data, ids, values);
      }
    }
    participant.advance(dt);
    t += dt;
    if (participant.requires_reading_checkpoint()) {
      t = start;
      ++iteration;
    } else if (participant.is_time_window_complete()) {
      iteration = 1;
    }
  }
  participant.finalize();
  seat.put(self, seat.launch.rank, {largest});
}

double largest_error(const Scheme& scheme, int degree, int of_data, const Deal& deal,
                     int num_steps = 4) {
  Scenario scenario{.schemes = {scheme}, .flows = between_all(scheme)};
  for (Flow& flow : scenario.flows) {
    flow.degree = degree;
  }
  std::vector<Role> roles;
  for (const std::string& name : scenario.participants()) {
    roles.push_back(
        {name, [&](const Seat& seat) { play_part(seat, scenario, of_data, num_steps); }});
  }
  double largest = 0;
  for (const auto& [name, ranks] : run(scenario.xml(), roles, deal)) {
    for (const auto& [rank, error] : ranks) {
      largest = std::max(largest, error[0]);
    }
  }
  return largest;
}

} // namespace

TEST_CASE("waveforms of degree 2 and 3 are exact for polynomials in all implicit schemes") {
  const std::string iterations = "<max-iterations value=\"3\"/>";
  const std::string relaxed =
      "<acceleration:constant><relaxation value=\"1\"/>"
      "</acceleration:constant>";
  const auto scheme = [&](const std::string& kind, const std::string& more) {
    return Scheme{
        .first = "A",
        .second = "B",
        .kind = kind,
        .max_windows = 2,
        .control = iterations + more,
        .others = kind == "multi" ? std::vector<std::string>{"C"} : std::vector<std::string>{}};
  };
  for (const std::string kind : {"serial-implicit", "parallel-implicit", "multi"}) {
    for (const std::string& more : {std::string(), relaxed}) {
      for (const int degree : {2, 3}) {
        CAPTURE(kind);
        CAPTURE(more);
        CAPTURE(degree);
        for (const Deal& deal : deals(kind == "multi" ? 3 : 2)) {
          CHECK(largest_error(scheme(kind, more), degree, degree, deal) < 1e-12);
        }
        CHECK(largest_error(scheme(kind, more), degree - 1, degree, in_threads) > 1e-3);
      }
    }
  }
}

TEST_CASE("waveforms through a thousand steps of a window are exact, and read in each of them") {
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    const Scheme scheme{.first = "A",
                        .second = "B",
                        .kind = kind,
                        .max_windows = 1,
                        .control = "<max-iterations value=\"2\"/>"};
    CAPTURE(kind);
    for (const Deal& deal : deals(2)) {
      CHECK(largest_error(scheme, 3, 3, deal, 1000) < 1e-10);
    }
  }
}
