// SPDX-License-Identifier: BSD-3-Clause
// Which vertices of a received mesh count in the measures of who leads an implicit scheme.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <iterator>

using namespace couple;

namespace {

constexpr int num_vertices = 6;

/// B answers the same in every iteration. Counts how often A reads it.
void play_constant(const Seat& seat, double y, bool writes) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  std::vector<double> positions;
  for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
    positions.insert(positions.end(), {static_cast<double>(v), y});
  }
  std::vector<isthmus::VertexId> ids(positions.size() / 2);
  participant.set_mesh_vertices(mesh, positions, ids);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::vector<double> values(ids.size(), 1.0);
    if (writes) {
      participant.write_data(mesh, "F", ids, values);
    } else {
      participant.read_data(mesh, "F", ids, 1, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put("F", seat.launch.rank + static_cast<int>(i) * seat.launch.size, {values[i]});
      }
    }
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
  }
  participant.finalize();
}

} // namespace

TEST_CASE("vertices that no function of a global mapping reaches are measured, on any ranks") {
  const Scenario scenario{
      .schemes = {{.first = "B",
                   .second = "A",
                   .kind = "serial-implicit",
                   .max_windows = 1,
                   .control = R"(<max-iterations value="4"/><absolute-convergence-measure )"
                              R"(data="F" mesh="B-Mesh" limit="1e-3"/>)"}},
      .flows = {{.from = "B",
                 .to = "A",
                 .data = "F",
                 .mapping = {.kind = "rbf-global-direct",
                             .basis = R"(compact-polynomial-c2 support-radius="0.9")",
                             .options = R"(polynomial="off")",
                             .constraint = "conservative"}}}};
  for (const Deal& deal : deals(2)) {
    const Table table = run(scenario.xml(),
                            {{"A", [](const Seat& seat) { play_constant(seat, 5.0, false); }},
                             {"B", [](const Seat& seat) { play_constant(seat, 0.0, true); }}},
                            deal);
    for (int vertex = 0; vertex < num_vertices; ++vertex) {
      const auto [begin, end] = table.at("F").equal_range(vertex);
      CHECK(std::distance(begin, end) == 2); // what is measured first differs from 0
      CHECK(begin->second == std::vector{0.0});
    }
  }
}
