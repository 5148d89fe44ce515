// SPDX-License-Identifier: BSD-3-Clause
// What reaches the partner of what a solver writes: the last value of each vertex since the last
// step, zero where there is none; vertices in any order, some at a time.
#include "participant/setup/calls.hpp"

#include <doctest/doctest.h>

using namespace couple;

namespace {

/// Velocity, a vector, from A to B, Pressure back; same places on both meshes.
Scenario of_kind(const std::string& kind, bool substeps) {
  Scenario result = scenario();
  result.schemes[0].kind = kind;
  result.schemes[0].max_time = 3;
  // which only a quasi-Newton step keeps
  result.flows[0].of_data = R"(lower-bound-x="2" upper-bound-x="3")";
  for (Flow& flow : result.flows) {
    flow.initialize = true;
    flow.substeps = substeps;
    flow.mapping.kind = "nearest-neighbor";
  }
  return result;
}

void write(Solver& s, std::vector<isthmus::VertexId> ids, std::vector<double> values) {
  s.participant.write_data(s.mesh, "Velocity", ids, values);
}

/// Before initialize() twice, the second time some; in the first window in another order, one
/// vertex again; nothing in the second, one vertex in the third.
void play_a(const Seat& seat) {
  Solver s(seat);
  s.define();
  CHECK(s.participant.requires_initial_data());
  write(s, {0, 1, 2}, {1, 2, 3, 4, 5, 6});
  write(s, {1}, {30, 40});
  s.participant.initialize();
  write(s, {}, {});
  write(s, {2, 0}, {7, 8, 9, 10});
  write(s, {0}, {11, 12});
  s.participant.advance(1);
  s.participant.advance(1);
  write(s, {1, 1}, {13, 14, 15, 16});
  s.participant.advance(1);
  s.participant.finalize();
}

void play_b(const Seat& seat) {
  Solver s(seat);
  s.define();
  CHECK(s.participant.requires_initial_data());
  s.participant.initialize();
  int moment = 0;
  const auto look = [&] {
    std::vector<double> seen(6);
    s.participant.read_data(s.mesh, "Velocity", s.ids, 0, seen);
    std::vector<double> backwards(4);
    s.participant.read_data(s.mesh, "Velocity", std::vector<isthmus::VertexId>{2, 1}, 0, backwards);
    CHECK(backwards == std::vector<double>{seen[4], seen[5], seen[2], seen[3]});
    seat.put("seen", moment++, seen);
  };
  look();
  while (s.participant.is_coupling_ongoing()) {
    s.participant.advance(1);
    look();
  }
  s.participant.finalize();
}

} // namespace

TEST_CASE("of what was written since the last step each vertex gives its last value, or zero") {
  const std::vector<std::vector<double>> expected{
      {1, 2, 30, 40, 5, 6}, {11, 12, 0, 0, 7, 8}, {0, 0, 0, 0, 0, 0}, {0, 0, 15, 16, 0, 0}};
  for (const std::string kind : {"parallel-explicit", "serial-explicit"}) {
    for (const bool substeps : {false, true}) {
      CAPTURE(kind);
      CAPTURE(substeps);
      const std::string xml = of_kind(kind, substeps).xml();
      for (const Deal& deal : {in_threads, serial(2)}) {
        const Table table = run(xml, {{"A", play_a}, {"B", play_b}}, deal);
        for (const auto& [moment, seen] : table.at("seen")) {
          CHECK(seen == expected[static_cast<std::size_t>(moment)]);
        }
        CHECK(table.at("seen").size() == expected.size());
      }
    }
  }
}

namespace {

/// Each vertex comes after initial data of the ones before, of which one is written again.
void grow(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  CHECK(participant.requires_initial_data());
  for (int v = 0; v < 5; ++v) {
    const isthmus::VertexId id =
        participant.set_mesh_vertex("A-Mesh", std::array{1.0 * v, 2.0 * seat.launch.rank});
    CHECK(id == v);
    if (v != 3) { // which stays zero
      participant.write_data("A-Mesh", "Velocity", std::array{v}, std::array{1.0 + v, -1.0 - v});
    }
    participant.write_data("A-Mesh", "Velocity", std::array{0}, std::array{10.0 * v, 0.0});
  }
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    participant.advance(1);
  }
  participant.finalize();
}

void see_grown(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  CHECK(participant.requires_initial_data());
  std::vector<double> places;
  for (int v = 0; v < 5; ++v) {
    places.insert(places.end(), {1.0 * v, 0.0});
  }
  std::vector<isthmus::VertexId> ids(5);
  participant.set_mesh_vertices("B-Mesh", places, ids);
  participant.initialize();
  std::vector<double> seen(10);
  participant.read_data("B-Mesh", "Velocity", ids, 0, seen);
  CHECK(seen == std::vector<double>{40, 0, 2, -2, 3, -3, 0, 0, 5, -5});
  while (participant.is_coupling_ongoing()) {
    participant.advance(1);
  }
  participant.finalize();
}

} // namespace

TEST_CASE("initial data may be written between the vertices that they belong to") {
  for (const std::string direction : {"read", "write"}) {
    Scenario scenario = of_kind("parallel-explicit", false);
    scenario.flows[0].mapping.direction = direction;
    for (const Deal& deal : deals(2)) {
      static_cast<void>(run(scenario.xml(), {{"A", grow}, {"B", see_grown}}, deal));
    }
  }
}
