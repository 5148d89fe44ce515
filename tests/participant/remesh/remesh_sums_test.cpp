// SPDX-License-Identifier: BSD-3-Clause
// What is written just in time is a sum, which stays one in the window in which its mesh is reset:
// the writer cannot know of the reset yet.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_windows = 4;

std::string xml() {
  Flow there{.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}};
  Flow back{.from = "A", .to = "B", .data = "F", .mapping = {.kind = "", .direction = "write"}};
  Scenario scenario{.schemes = {{.first = "A",
                                 .second = "B",
                                 .kind = "parallel-explicit",
                                 .max_windows = num_windows}},
                    .flows = {there, back}};
  scenario.remeshing = true;
  scenario.inside["A"] =
      R"(<mapping:nearest-neighbor direction="write" to="B-Mesh" constraint="conservative" />)";
  return scenario.xml();
}

/// B has so many vertices in a window, dealt to its ranks in turn.
void receive(const Seat& seat, int few, int many) {
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids;
  const auto define = [&](int count) {
    std::vector<double> places;
    for (int v = seat.launch.rank; v < count; v += seat.launch.size) {
      places.insert(places.end(), {6.0 * v / count, 0.0});
    }
    ids.resize(places.size() / 2);
    participant.set_mesh_vertices("B-Mesh", places, ids);
  };
  define(few);
  participant.initialize();
  for (int window = 1; participant.is_coupling_ongoing(); ++window) {
    if (window == 3) {
      participant.reset_mesh("B-Mesh");
      define(many);
    }
    participant.write_data("B-Mesh", "T", ids, std::vector<double>(ids.size(), 1));
    participant.advance(1);
    std::vector<double> values(ids.size());
    participant.read_data("B-Mesh", "F", ids, 0, values);
    for (const double value : values) {
      seat.put("read", window, {value});
    }
  }
  participant.finalize();
}

void give(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  participant.set_mesh_access_region("B-Mesh", std::vector<double>{-1, 7, -1, 1});
  participant.initialize();
  for (int window = 1; participant.is_coupling_ongoing(); ++window) {
    for (int point = 0; point < 5; ++point) {
      const std::vector<double> place{0.2 + point + 0.1 * seat.launch.rank, 0.3};
      const std::vector<double> force{1.0 + point + window};
      participant.write_and_map_data("B-Mesh", "F", place, force);
      seat.put("written", window, force);
    }
    participant.advance(1);
  }
  participant.finalize();
}

double sum(const Table& table, const std::string& series, int window) {
  double total = 0;
  const auto [begin, end] = table.at(series).equal_range(window);
  for (auto entry = begin; entry != end; ++entry) {
    total += entry->second[0];
  }
  return total;
}

} // namespace

TEST_CASE("forces written just in time keep their sum where the mesh is reset") {
  for (const auto& [few, many] : {std::pair(8, 40), {40, 8}}) {
    for (const Deal& deal : deals(2)) {
      const Table table = run(
          xml(), {{"A", give}, {"B", [&](const Seat& seat) { receive(seat, few, many); }}}, deal);
      for (int window = 1; window <= num_windows; ++window) {
        CAPTURE(window);
        CHECK(sum(table, "read", window) == doctest::Approx(sum(table, "written", window)));
      }
    }
  }
}
