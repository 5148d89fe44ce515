// SPDX-License-Identifier: BSD-3-Clause
// Who looks at a mesh that changes: direct access of the partner, watch points, integrals,
// and actions by area.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using isthmus::rows_of;
using namespace couple;

namespace {

constexpr int num_windows = 4;

/// A accesses the mesh of B, which changes.
const Scenario scenario{
    .schemes = {{.first = "B", .second = "A", .max_windows = num_windows}},
    .flows = {{.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}},
              {.from = "A", .to = "B", .data = "F", .mapping = {.kind = "", .direction = "write"}}},
    .remeshing = true,
    .inside = {{"B",
                R"(<export:csv directory="seen"/>
                   <watch-point mesh="B-Mesh" name="end" coordinate="99; 0"/>
                   <watch-integral mesh="B-Mesh" name="sum" scale-with-connectivity="false"/>)"}}};

/// B has 4, 5, 6, … vertices, of which the last is on another rank each time.
void provide(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<int> vertices;
  std::vector<isthmus::VertexId> ids;
  const auto define = [&](int window) {
    std::vector<double> places;
    vertices.clear();
    for (int v = 0; v < 4 + window; ++v) {
      if ((v + window) % seat.launch.size == seat.launch.rank) {
        vertices.push_back(v);
        places.insert(places.end(), {static_cast<double>(v), 0.0});
      }
    }
    ids.resize(vertices.size());
    participant.set_mesh_vertices("B-Mesh", places, ids);
  };
  define(0);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window > 0) {
      participant.reset_mesh("B-Mesh");
      define(window);
    }
    std::vector<double> values(vertices.begin(), vertices.end());
    participant.write_data("B-Mesh", "T", ids, values);
    participant.advance(1);
    participant.read_data("B-Mesh", "F", ids, 0, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put("F " + std::to_string(window), vertices[i], {values[i]});
    }
  }
  participant.finalize();
}

/// All ranks of A see all vertices; the first writes twice the place on each.
void look(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  participant.set_mesh_access_region("B-Mesh", std::vector<double>{-0.5, 50, -1, 1});
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    const auto count = static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh"));
    std::vector<isthmus::VertexId> ids(count);
    std::vector<double> places(2 * count);
    participant.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
    std::vector<double> values(count);
    participant.read_data("B-Mesh", "T", ids, 0, values);
    if (seat.launch.rank == 0) {
      seat.put("seen", window, {static_cast<double>(count)});
      for (std::size_t i = 0; i < count; ++i) {
        CHECK((window == 0 ? 0.0 : places[2 * i]) == values[i]);
        values[i] = 2 * places[2 * i];
      }
      participant.write_data("B-Mesh", "F", ids, values);
    }
    participant.advance(1);
  }
  participant.finalize();
}

} // namespace

TEST_CASE("access, watch points and integrals follow a mesh that changes") {
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory directory;
    const Table table = run(scenario.xml(), {{"A", look}, {"B", provide}}, deal);
    for (int window = 0; window < num_windows; ++window) {
      // what A wrote for the mesh of the window before goes to the nearest vertices
      const auto& values = table.at("F " + std::to_string(window));
      CHECK(values.size() == static_cast<std::size_t>(4 + window));
      const int known = 4 + std::max(window - 1, 0); // to A
      CHECK(table.at("seen").find(window)->second[0] == known);
      for (const auto& [vertex, value] : values) {
        CHECK(value[0] == 2.0 * std::min(vertex, known - 1));
      }
    }
    if (directory.is_root()) {
      const auto point = rows_of("precice-B-watchpoint-end.log");
      const auto sum = rows_of("precice-B-watchintegral-sum.log");
      REQUIRE(point.size() == num_windows + 1); // with the start
      REQUIRE(sum.size() == num_windows + 1);
      for (std::size_t row = 1; row < point.size(); ++row) {
        const double last = 2.0 + static_cast<double>(row); // vertex of the window
        CHECK(point[row][1] == last);                       // place
        CHECK(sum[row].size() == 3); // no column of the area: nobody needs elements
        CHECK((point[row][3] == last || point[row][4] == last)); // T; F is two times another
        CHECK((sum[row][1] == last * (last + 1) / 2 || sum[row][2] == last * (last + 1) / 2));
      }
    }
  }
}

namespace {

/// A accesses the mesh of B and maps from it to its own, which changes.
const Scenario inferred{.schemes = {{.first = "B", .second = "A", .max_windows = 3}},
                        .flows = {{.from = "B", .to = "A", .data = "T"},
                                  {.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}}},
                        .remeshing = true};

/// Ten vertices, dealt to the ranks.
void stand_still(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<double> places;
  for (int v = seat.launch.rank; v < 10; v += seat.launch.size) {
    places.insert(places.end(), {static_cast<double>(v), 0.0});
  }
  std::vector<isthmus::VertexId> ids(places.size() / 2);
  participant.set_mesh_vertices("B-Mesh", places, ids);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    std::vector<double> values;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values.push_back(places[2 * i]);
    }
    participant.write_data("B-Mesh", "T", ids, values);
    participant.advance(1);
  }
  participant.finalize();
}

/// All ranks hold the line from `first` to `last`; a single one has access to all of the other
/// mesh.
void look_around(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  int first = 0;
  int last = 2;
  const auto define = [&] {
    const std::vector<double> places{static_cast<double>(first), 0, static_cast<double>(last), 0};
    std::vector<isthmus::VertexId> ids(2);
    participant.set_mesh_vertices("A-Mesh", places, ids);
  };
  define();
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window == 1) {
      participant.reset_mesh("A-Mesh");
      first = 3;
      last = 8;
      define();
    }
    participant.advance(1);
    const std::size_t count =
        seat.launch.size > 1 ? 0 : static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh"));
    CHECK(count == (seat.launch.size > 1 ? 0 : 10));
    std::vector<isthmus::VertexId> ids(count);
    std::vector<double> places(2 * count);
    std::vector<double> values(count);
    if (count > 0) {
      participant.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
      participant.read_data("B-Mesh", "T", ids, 0, values);
    }
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(values[i] == places[2 * i]);
    }
    std::vector<double> mapped(2);
    participant.read_data("A-Mesh", "T", std::vector<isthmus::VertexId>{0, 1}, 0, mapped);
    CHECK(mapped == std::vector<double>{static_cast<double>(first), static_cast<double>(last)});
  }
  participant.finalize();
}

} // namespace

TEST_CASE("what is mapped follows the own mesh where no access region is set") {
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(inferred.xml(), {{"A", look_around}, {"B", stand_still}}, deal));
  }
}

namespace {

/// What B sends is multiplied by the lengths of its edges, which change.
const Scenario by_area{
    .schemes = {{.first = "B", .second = "A", .max_windows = num_windows}},
    .flows = {{.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}}},
    .remeshing = true,
    .inside = {{"B", R"(<action:multiply-by-area timing="write-mapping-post" mesh="B-Mesh">
                        <target-data name="T"/></action:multiply-by-area>)"}}};

/// Each rank has an edge of its own, which is longer in each window.
void grow(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids(2);
  const auto define = [&](int length) {
    const double first = 10.0 * seat.launch.rank;
    participant.set_mesh_vertices("B-Mesh", std::vector<double>{first, 0, first + length, 0}, ids);
    participant.set_mesh_edges("B-Mesh", ids);
  };
  define(1);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    if (window > 0) {
      participant.reset_mesh("B-Mesh");
      define(1 + window);
    }
    participant.write_data("B-Mesh", "T", ids, std::vector<double>{2, 2});
    participant.advance(1);
  }
  participant.finalize();
}

/// Half of each edge belongs to either end of it.
void see_lengths(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  participant.set_mesh_access_region("B-Mesh", std::vector<double>{-1, 1000, -1, 1});
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    const auto count = static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh"));
    std::vector<isthmus::VertexId> ids(count);
    std::vector<double> places(2 * count);
    std::vector<double> values(count);
    participant.mesh_vertex_ids_and_coordinates("B-Mesh", ids, places);
    participant.read_data("B-Mesh", "T", ids, 0, values);
    CHECK(count > 0);
    CHECK(values == std::vector<double>(count, window)); // of the window before
    participant.advance(1);
  }
  participant.finalize();
}

} // namespace

TEST_CASE("an action by area follows the mesh that changes") {
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(by_area.xml(), {{"A", see_lengths}, {"B", grow}}, deal));
  }
}
