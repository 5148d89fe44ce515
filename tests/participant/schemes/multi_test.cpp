// SPDX-License-Identifier: BSD-3-Clause
// Implicit schemes of three participants: one scheme for all, or an explicit one beside it.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

using namespace couple;

namespace {

/// C is coupled with A and B and maps: x_A = 1 + c / 4, x_B = 2 + c / 4, c = (x_A + x_B) / 2 + 1.
std::string xml(const std::vector<Scheme>& schemes) {
  return Scenario{.schemes = schemes, .flows = through_c("consistent")}.xml();
}

/// One of the three, with three vertices that all hold the same.
void play_part(const Seat& seat, const std::string& name) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = name + "-Mesh";
  std::vector<double> positions;
  for (int v = seat.launch.rank; v < 3; v += seat.launch.size) {
    positions.insert(positions.end(), {static_cast<double>(v), 1.0});
  }
  std::vector<isthmus::VertexId> ids(positions.size() / 2);
  participant.set_mesh_vertices(mesh, positions, ids);
  participant.initialize();
  std::vector<double> first(ids.size());
  std::vector<double> second(ids.size());
  int repeated = 0;
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    participant.read_data(mesh, name == "C" ? "XA" : "C", ids, 1, first);
    if (name == "C") {
      participant.read_data(mesh, "XB", ids, 1, second);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      first[i] =
          name == "C" ? (first[i] + second[i]) / 2 + 1 : (name == "A" ? 1 : 2) + first[i] / 4;
    }
    participant.write_data(mesh, name == "C" ? "C" : "X" + name, ids, first);
    participant.advance(1);
    repeated += participant.requires_reading_checkpoint() ? 1 : 0;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    seat.put(name, static_cast<int>(positions[2 * i]), {first[i]});
  }
  if (seat.launch.rank == 0) {
    seat.put(name + "/repeated", 0, {static_cast<double>(repeated)});
  }
  participant.finalize();
}

std::vector<Role> all_three() {
  std::vector<Role> all;
  for (const std::string name : {"A", "B", "C"}) {
    all.push_back({name, [name](const Seat& seat) { play_part(seat, name); }});
  }
  return all;
}

} // namespace

TEST_CASE("several participants converge together around their controller" * on_ranks_for(3)) {
  const std::string control =
      "<max-iterations value=\"60\"/><relative-convergence-measure data=\"XA\" mesh=\"A-Mesh\" "
      "limit=\"1e-10\"/><relative-convergence-measure data=\"C\" mesh=\"B-Mesh\" "
      "limit=\"1e-10\"/>";
  const Scheme scheme{.first = "A",
                      .second = "B",
                      .kind = "multi",
                      .max_windows = 2,
                      .control = control,
                      .others = {"C"},
                      .controller = "C"};
  for (const Deal& deal : deals(3)) {
    const Table table = run(xml({scheme}), all_three(), deal);
    const double c = 10.0 / 3; // c = (3 + c / 2) / 2 + 1
    for (const auto& [name, value] : {std::pair{"A", 1 + c / 4}, {"B", 2 + c / 4}, {"C", c}}) {
      CHECK(table.at(name).size() == 3);
      for (const auto& [vertex, values] : table.at(name)) {
        CHECK(values[0] == doctest::Approx(value).epsilon(1e-8));
      }
    }
    CHECK(table.at("A/repeated") == table.at("C/repeated"));
    CHECK(table.at("B/repeated") == table.at("C/repeated"));
    CHECK(table.at("A/repeated").begin()->second[0] > 4);
  }
}

TEST_CASE("an explicit scheme waits until the implicit one beside it has converged" *
          on_ranks_for(3)) {
  const std::vector<Scheme> schemes{{.first = "A",
                                     .second = "C",
                                     .kind = "serial-implicit",
                                     .max_windows = 3,
                                     .control = "<max-iterations value=\"7\"/>"},
                                    {.first = "B", .second = "C", .max_windows = 3}};
  for (const Deal& deal : deals(3)) {
    const Table table = run(xml(schemes), all_three(), deal);
    CHECK(table.at("A/repeated").begin()->second[0] == 3 * 6);
    CHECK(table.at("C/repeated").begin()->second[0] == 3 * 6);
    CHECK(table.at("B/repeated").begin()->second[0] == 0);
    double b = 0; // by hand: seven iterations of A and C with what B had at the end of the window
    double c_sent = 0;
    for (int window = 0; window < 3; ++window) {
      const double b_given = b;
      double c = c_sent;
      for (int iteration = 0; iteration < 7; ++iteration) {
        c = ((1 + c / 4) + b_given) / 2 + 1;
      }
      b = 2 + c_sent / 4;
      c_sent = c;
    }
    for (const auto& [vertex, values] : table.at("C")) {
      CHECK(values[0] == doctest::Approx(c_sent).epsilon(1e-12));
    }
    for (const auto& [vertex, values] : table.at("B")) {
      CHECK(values[0] == doctest::Approx(b).epsilon(1e-12));
    }
  }
}
