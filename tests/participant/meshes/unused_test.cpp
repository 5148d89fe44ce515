// SPDX-License-Identifier: BSD-3-Clause
// What a configuration declares and nobody uses disturbs nobody.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

using namespace couple;

namespace {

constexpr int num_vertices = 5;

/// Heat goes from A to B. Beside it: A receives B's mesh and a mesh on which it may work, and
/// writes data that are exchanged with nobody; B writes data that A does not read, and may send
/// them.
std::string with_spare_parts(const std::string& kind, bool is_sent) {
  Flow heat{"A", "B", "Heat"};
  heat.mapping.direction = "write";
  Scenario scenario{{{.first = "A", .second = "B", .kind = kind, .max_windows = 2}}, {heat}};
  scenario.unused = {{"A-Mesh", {"Spare"}}, {"B-Spare", {"Unread"}}};
  scenario.inside["A"] = R"(<write-data name="Spare" mesh="A-Mesh"/>)"
                         R"(<receive-mesh name="B-Spare" from="B"/>)";
  scenario.inside["B"] = R"(<provide-mesh name="B-Spare"/>)"
                         R"(<write-data name="Unread" mesh="B-Spare"/>)";
  if (is_sent) {
    scenario.schemes[0].control = R"(<exchange data="Unread" mesh="B-Spare" from="B" to="A"/>)";
  }
  return scenario.xml();
}

void play_part(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const auto [vertices, places] = dealt_line(seat.launch, num_vertices);
  std::vector<int> ids(vertices.size());
  std::vector<int> spare(vertices.size());
  participant.set_mesh_vertices(seat.participant + "-Mesh", places, ids);
  if (!is_a) {
    participant.set_mesh_vertices("B-Spare", places, spare);
  }
  participant.initialize();
  for (double t = 1; participant.is_coupling_ongoing(); ++t) {
    std::vector<double> values;
    for (const int vertex : vertices) {
      values.push_back(vertex + 10 * t);
    }
    if (is_a) {
      participant.write_data("A-Mesh", "Heat", ids, values);
      participant.write_data("A-Mesh", "Spare", ids, values);
    } else {
      participant.write_data("B-Spare", "Unread", spare, values);
    }
    participant.advance(1);
    for (std::size_t i = 0; i < ids.size() && !is_a; ++i) {
      std::vector<double> heat(1);
      participant.read_data("B-Mesh", "Heat", std::vector<int>{ids[i]}, 0, heat);
      CHECK(heat[0] == values[i]);
    }
  }
  participant.finalize();
  seat.put(seat.participant, seat.launch.rank, {});
}

} // namespace

TEST_CASE("meshes that are received and data that are written for nobody disturb nobody") {
  for (const std::string kind : {"parallel-explicit", "serial-explicit"}) {
    for (const bool is_sent : {false, true}) {
      const std::string xml = with_spare_parts(kind, is_sent);
      for (const Deal& deal : deals(2)) {
        CHECK(run(xml, {{"A", play_part}, {"B", play_part}}, deal).size() == 2);
      }
    }
  }
}
