// SPDX-License-Identifier: BSD-3-Clause
// How much of a received mesh a participant holds: what its mappings need, or, where a single rank
// exports it or measures data on it, all.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using isthmus::rows_of;
using namespace couple;

namespace {

using isthmus::Participant;

constexpr int num_vertices = 11; // of A, at x = 0, 1, 2, …

/// A writes T on its mesh, which B maps to one of its own that is near few vertices of it.
std::string xml(const std::string& of_b, const std::string& kind, const std::string& control) {
  return Scenario{
      .schemes =
          {{.first = "A", .second = "B", .kind = kind, .max_windows = 1, .control = control}},
      .flows = {{.from = "A", .to = "B", .data = "T", .mapping = {.kind = "nearest-projection"}}},
      .inside = {{"B", of_b}}}
      .xml();
}

/// In the first iteration 1 everywhere, in the second the same at the ends that B maps and 2
/// between.
double value(int vertex, int iteration) {
  return vertex < 2 || vertex > 8 ? 1 : iteration;
}

void provide(const Seat& seat) {
  Participant participant = seat.make();
  std::vector<int> ids;
  std::vector<int> vertices;
  const int first = (num_vertices - 1) * seat.launch.rank / seat.launch.size;
  const int last = (num_vertices - 1) * (seat.launch.rank + 1) / seat.launch.size;
  for (int v = first; v < last + (seat.launch.rank == seat.launch.size - 1 ? 1 : 0); ++v) {
    ids.push_back(participant.set_mesh_vertex("A-Mesh", std::vector<double>{1.0 * v, 0}));
    vertices.push_back(v);
    if (v > first) {
      participant.set_mesh_edges("A-Mesh", std::vector<int>{ids.back() - 1, ids.back()});
    }
  }
  participant.initialize();
  for (int iteration = 1; participant.is_coupling_ongoing(); ++iteration) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::vector<double> values;
    for (const int v : vertices) {
      values.push_back(value(v, iteration));
    }
    participant.write_data("A-Mesh", "T", ids, values);
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
  }
  participant.finalize();
}

void map(const Seat& seat) {
  Participant participant = seat.make();
  std::vector<int> ids(2);
  participant.set_mesh_vertices("B-Mesh", std::vector<double>{0.4, 0.1, 9.7, 0}, ids);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
  }
  std::vector<double> values(2);
  participant.read_data("B-Mesh", "T", ids, 0, values);
  CHECK(values == std::vector<double>{1, 1});
  participant.finalize();
}

int ranks_of(const Deal& deal, std::size_t participant) {
  return deal.empty() ? 1 : deal[participant];
}

} // namespace

TEST_CASE("a single rank exports the whole of a received mesh with the values of all vertices") {
  const std::string exports = "<export:csv directory=\"out\"/><export:vtu directory=\"out\"/>";
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(
        run(xml(exports, "parallel-explicit", ""), {{"A", provide}, {"B", map}}, deal));
    if (!here.is_root()) {
      continue;
    }
    if (ranks_of(deal, 1) > 1) { // of several each holds what its mapping needs
      const auto rows = rows_of("out/A-Mesh-B.0_dt1.csv");
      CHECK(rows.size() == 4);
      continue;
    }
    const auto rows = rows_of("out/A-Mesh-B.dt1.csv");
    REQUIRE(rows.size() == num_vertices);
    for (const auto& row : rows) {
      CHECK(row.at(2) == 0);
      CHECK(row.at(3) == value(static_cast<int>(row.at(0)), 1));
    }
    std::ifstream file("out/A-Mesh-B.dt1.vtu");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const int edges = num_vertices - ranks_of(deal, 0);
    CHECK(text.find(fmt::format("NumberOfCells=\"{}\"", edges)) != std::string::npos);
  }
}

TEST_CASE("norms of a single rank count all vertices of a received mesh") {
  const std::string control =
      "<max-iterations value=\"2\"/><relative-convergence-measure "
      "data=\"T\" mesh=\"A-Mesh\" limit=\"1e-9\"/>";
  for (const Deal& deal : deals(2)) {
    if (ranks_of(deal, 1) > 1) {
      continue;
    }
    const WorkingDirectory here;
    static_cast<void>(
        run(xml("", "parallel-implicit", control), {{"A", provide}, {"B", map}}, deal));
    if (here.is_root()) {
      const auto rows = rows_of("precice-B-convergence.log");
      REQUIRE(rows.size() == 2);
      // seven vertices have changed from 1 to 2
      CHECK(rows[1].back() == doctest::Approx(std::sqrt(7.0 / (4 + 7 * 4))).epsilon(1e-6));
    }
  }
}
