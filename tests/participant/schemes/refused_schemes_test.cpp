// SPDX-License-Identifier: BSD-3-Clause
// Compositions of schemes and steps that are refused, with the reason, on all ranks.
#include "participant/setup/timeline.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <exception>

using namespace couple;

namespace {

Flow flow(const std::string& from, const std::string& to) {
  return {from, to, "Of-" + from};
}

} // namespace

TEST_CASE("serial schemes in which everybody would wait for another are refused" *
          on_ranks_for(3)) {
  const Scenario circle{{{"A", "B", "serial-explicit", 1, 3},
                         {"B", "C", "serial-explicit", 1, 3},
                         {"C", "A", "serial-explicit", 1, 3}},
                        {flow("A", "B"), flow("B", "C"), flow("C", "A")}};
  // A is at time 1 and needs B there, which needs what A has at time 2
  Flow parallel{"A", "B", "T2"};
  parallel.scheme = 1;
  Flow back{"B", "A", "F2"};
  back.scheme = 1;
  Flow serial = flow("A", "B");
  serial.scheme = 0;
  const Scenario crossed{
      {{"A", "B", "serial-explicit", 2, 6}, {"A", "B", "parallel-explicit", 1, 6}, {"B", "C"}},
      {serial, parallel, back, flow("C", "B")}};
  // C waits until A has iterated with B, which waits for C
  const Scenario enclosed{{{"A", "B", "serial-implicit", 1, 3, 0, "<max-iterations value=\"2\"/>"},
                           {"A", "C", "serial-explicit", 1, 3},
                           {"C", "B", "serial-explicit", 1, 3}},
                          {flow("A", "B"), {"B", "A", "Back"}, {"A", "C", "AC"}, flow("C", "B")}};
  for (const Scenario& scenario : {circle, crossed, enclosed}) {
    for (const Deal& deal : deals(3)) {
      std::vector<Role> roles;
      for (const std::string name : {"A", "B", "C"}) {
        roles.push_back({name, [](const Seat& seat) { static_cast<void>(seat.make()); }});
      }
      Scenario ended = scenario;
      ended.schemes.back().max_windows = 6;
      const Outcome outcome = play(ended.xml(), roles, deal);
      for (const std::string name : {"A", "B", "C"}) {
        CHECK(outcome.errors.at(name).find("would wait for each other") != std::string::npos);
      }
    }
  }
}

/// Recorded from preCICE 3.4.1: the largest number and infinity are rejected and the coupling goes
/// on, other enormous steps are not.
TEST_CASE("a step without end is refused and names the method that allows it") {
  const Scenario scenario{{{"A", "B", "serial-explicit", 0, 0, 2}}, {flow("A", "B")}};
  const std::vector<double> points{0, 0};
  for (const Deal& deal : deals(2)) {
    const auto define = [&points](const Seat& seat, isthmus::Participant& participant) {
      std::vector<isthmus::VertexId> ids(1);
      participant.set_mesh_vertices(seat.participant + "-Mesh", points, ids);
      participant.initialize();
    };
    const Table table =
        run(scenario.xml(),
            {{"A",
              [&](const Seat& seat) {
                isthmus::Participant participant = seat.make();
                define(seat, participant);
                const double largest = participant.max_time_step_size();
                for (const double dt : {largest, 2 * largest, -1e300, 0.0}) {
                  std::string error;
                  try {
                    participant.advance(dt);
                  } catch (const std::exception& caught) {
                    error = caught.what();
                  }
                  CHECK(error.find("advance()") != std::string::npos);
                  CHECK((dt < 1 || error.find("first-participant") != std::string::npos));
                }
                participant.advance(1e12);
                participant.advance(1e300);
                CHECK(!participant.is_coupling_ongoing());
                participant.finalize();
              }},
             {"B",
              [&](const Seat& seat) {
                isthmus::Participant participant = seat.make();
                define(seat, participant);
                std::vector<double> steps;
                while (participant.is_coupling_ongoing()) {
                  steps.push_back(participant.max_time_step_size());
                  participant.advance(steps.back());
                }
                participant.finalize();
                seat.put("steps", 0, steps);
              }}},
            deal);
    for (const auto& [rank, steps] : table.at("steps")) {
      CHECK(steps == std::vector<double>{1e12, 1e300});
    }
  }
}
