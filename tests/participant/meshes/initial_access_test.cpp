// SPDX-License-Identifier: BSD-3-Clause
// Initial data on a mesh that a participant receives: those of its owner are there at once; what
// who has access would write is zero, because it knows no vertices before.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

using namespace couple;

namespace {

constexpr int num_vertices = 6;

/// A owns the mesh and writes Heat there; B writes Force, directly or through points.
Scenario scenario_of(const std::string& kind, const std::string& first, bool just_in_time) {
  const Flow heat{
      .from = "A", .to = "B", .data = "Heat", .mapping = {.kind = ""}, .initialize = true};
  const Flow force{.from = "B",
                   .to = "A",
                   .data = "Force",
                   .mapping = {.kind = "", .direction = "write"},
                   .initialize = true};
  Scheme scheme{.first = first, .second = first == "A" ? "B" : "A", .kind = kind, .max_windows = 2};
  scheme.control = scheme.is_implicit() ? R"(<max-iterations value="2"/>)" : "";
  Scenario scenario{{scheme}, {heat, force}};
  scenario.experimental = true;
  if (just_in_time) {
    scenario.inside["B"] =
        R"(<mapping:nearest-neighbor direction="read" from="A-Mesh" constraint="consistent"/>)"
        R"(<mapping:nearest-neighbor direction="write" to="A-Mesh" constraint="conservative"/>)";
  }
  return scenario;
}

/// Writes the same in all steps.
void step_through(isthmus::Participant& participant, const std::function<void()>& write) {
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    write();
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
  }
  participant.finalize();
}

void own(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const auto [vertices, places] = dealt_line(seat.launch, num_vertices);
  std::vector<int> ids(vertices.size());
  std::vector<double> values;
  for (const int vertex : vertices) {
    values.push_back(10.0 + vertex);
  }
  participant.set_mesh_vertices("A-Mesh", places, ids);
  CHECK(participant.requires_initial_data());
  participant.write_data("A-Mesh", "Heat", ids, values);
  participant.initialize();
  std::vector<double> force(ids.size(), -1);
  participant.read_data("A-Mesh", "Force", ids, 0, force);
  for (const double one : force) {
    CHECK(one == 0);
  }
  step_through(participant, [&] { participant.write_data("A-Mesh", "Heat", ids, values); });
}

void work(const Seat& seat, bool just_in_time) {
  isthmus::Participant participant = seat.make();
  participant.set_mesh_access_region("A-Mesh", std::vector<double>{-1, num_vertices, -1, 1});
  CHECK(participant.requires_initial_data());
  participant.initialize();
  REQUIRE(participant.mesh_vertex_size("A-Mesh") == num_vertices);
  std::vector<int> ids(num_vertices);
  std::vector<double> places(2 * num_vertices);
  participant.mesh_vertex_ids_and_coordinates("A-Mesh", ids, places);
  std::vector<double> heat(num_vertices);
  if (just_in_time) {
    participant.map_and_read_data("A-Mesh", "Heat", places, 0, heat);
  } else {
    participant.read_data("A-Mesh", "Heat", ids, 0, heat);
  }
  for (std::size_t i = 0; i < heat.size(); ++i) {
    CHECK(heat[i] == 10 + places[2 * i]);
  }
  const std::vector<double> ones(num_vertices, 1);
  step_through(participant, [&] {
    if (just_in_time) {
      participant.write_and_map_data("A-Mesh", "Force", places, ones);
    } else {
      participant.write_data("A-Mesh", "Force", ids, ones);
    }
  });
}

} // namespace

TEST_CASE("initial data of who has access to a mesh are zeros, those of its owner are there") {
  for (const std::string kind :
       {"serial-explicit", "parallel-explicit", "serial-implicit", "parallel-implicit"}) {
    for (const std::string first : {"A", "B"}) {
      const bool just_in_time = (first == "A") == kind.starts_with("serial");
      CAPTURE(kind);
      CAPTURE(first);
      const std::string xml = scenario_of(kind, first, just_in_time).xml();
      for (const Deal& deal : deals(2)) {
        static_cast<void>(run(
            xml, {{"A", own}, {"B", [&](const Seat& seat) { work(seat, just_in_time); }}}, deal));
      }
    }
  }
}
