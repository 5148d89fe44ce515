// SPDX-License-Identifier: BSD-3-Clause
// Actions on meshes that a participant receives: they change what it maps to them before it is
// sent, and what has come on them after it is mapped.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace couple;

namespace {

constexpr int num_pieces = 6; // of the mesh of B, two vertices each
constexpr double step = 0.5;

double length_of(int piece) {
  return 1 + 0.25 * piece;
}

double start_of(int piece) {
  return 4.0 * piece;
}

/// In 3D a piece is a triangle of this width, with a third vertex in the middle of its end.
constexpr double width = 0.6;

struct Case {
  std::string scheme = "parallel-explicit";
  std::string constraint = "conservative";
  std::string action;
  std::string of_a = ""; // children of A
  int dimensions = 2;
  bool both_ways = false; // B sends, too
};

std::string xml(const Case& one) {
  Scheme scheme{.first = "A", .second = "B", .kind = one.scheme, .max_windows = 2};
  scheme.control = scheme.is_implicit() ? R"(<max-iterations value="2" />)" : "";
  Scenario scenario{{scheme},
                    {{.from = "A",
                      .to = "B",
                      .data = "Force",
                      .mapping = {.direction = "write", .constraint = one.constraint},
                      .substeps = true,
                      .meshes = {.dimensions = one.dimensions}}}};
  if (one.both_ways) {
    scenario.flows.push_back({.from = "B",
                              .to = "A",
                              .data = "Heat",
                              .substeps = true,
                              .meshes = {.dimensions = one.dimensions}});
  }
  scenario.inside["A"] = one.action + one.of_a;
  return scenario.xml();
}

/// Written at vertex `i` of A, which stands beside the vertex i / 2 of B.
double force(int i, double time) {
  return 1 + i + 10 * time;
}

double heat(int vertex, double time) {
  return 2 + vertex + 5 * time;
}

std::vector<double> place_of_b(int vertex, int dimensions) {
  const int corners = dimensions;
  const int piece = vertex / corners;
  const int corner = vertex % corners;
  std::vector<double> place{start_of(piece) + (corner == 0 ? 0.0 : length_of(piece)), 0};
  if (dimensions == 3) {
    place[1] = corner == 2 ? width : 0.0;
    place.push_back(0);
  }
  return place;
}

/// Whole pieces of B, and the vertices of A that belong to two of B in turn.
void solve(const Seat& seat, const Case& one) {
  const int dimensions = one.dimensions;
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const std::string mesh = seat.participant + "-Mesh";
  const int num_vertices = num_pieces * dimensions * (is_a ? 2 : 1);
  std::vector<int> numbers;
  std::vector<double> places;
  for (int v = 0; v < num_vertices; ++v) {
    const int owner = is_a ? v : v / dimensions;
    if (owner % seat.launch.size == seat.launch.rank) {
      std::vector<double> place = place_of_b(is_a ? v / 2 : v, dimensions);
      place[0] += is_a ? 0.1 * (v % 2) : 0.0;
      numbers.push_back(v);
      places.insert(places.end(), place.begin(), place.end());
    }
  }
  std::vector<int> ids(numbers.size());
  participant.set_mesh_vertices(mesh, places, ids);
  if (!is_a && participant.requires_mesh_connectivity_for(mesh)) {
    dimensions == 2 ? participant.set_mesh_edges(mesh, ids)
                    : participant.set_mesh_triangles(mesh, ids);
  }
  participant.initialize();
  std::vector<double> values(ids.size());
  double time = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? time : kept;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] = is_a ? force(numbers[i], time + step) : heat(numbers[i], time + step);
    }
    if (is_a || one.both_ways) {
      participant.write_data(mesh, is_a ? "Force" : "Heat", ids, values);
    }
    participant.advance(step);
    time = participant.requires_reading_checkpoint() ? kept : time + step;
    const double ended = participant.is_time_window_complete() ? time : 0;
    if (ended > 0 && is_a && one.both_ways) {
      participant.read_data(mesh, "Heat", ids, 0, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put(fmt::format("Heat at {}", ended), numbers[i], {values[i]});
      }
    }
    if (ended > 0 && !is_a) {
      participant.read_data(mesh, "Force", ids, 0, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put(fmt::format("Force at {}", ended), numbers[i], {values[i]});
      }
    }
  }
  participant.finalize();
}

Table play_case(const Case& one, const Deal& deal) {
  const auto play_role = [&one](const Seat& seat) { solve(seat, one); };
  return run(xml(one), {{"A", play_role}, {"B", play_role}}, deal);
}

std::string by_area(const std::string& kind, const std::string& data = "Force",
                    const std::string& timing = "write-mapping-post") {
  return fmt::format(
      R"(<action:{0}-by-area timing="{1}" mesh="B-Mesh"><target-data name="{2}" /></action:{0}-by-area>)",
      kind, timing, data);
}

} // namespace

TEST_CASE("actions by area on a received mesh take the shares of its vertices in whole elements") {
  for (const int dimensions : {2, 3}) {
    for (const std::string kind : {"multiply", "divide"}) {
      for (const std::string constraint : {"conservative", "consistent"}) {
        for (const std::string scheme :
             {"parallel-explicit", "serial-explicit", "parallel-implicit", "serial-implicit"}) {
          CAPTURE(kind);
          CAPTURE(scheme);
          const Case one{scheme, constraint, by_area(kind), "", dimensions};
          for (const Deal& deal : deals(2)) {
            const Table table = play_case(one, deal);
            for (const double time : {1.0, 2.0}) {
              const auto& read = table.at(fmt::format("Force at {}", time));
              REQUIRE(read.size() == std::size_t(num_pieces * dimensions));
              for (const auto& [vertex, values] : read) {
                const double length = length_of(vertex / dimensions);
                const double share = dimensions == 2 ? length / 2 : length * width / 6;
                // the data of this window come at its end, but to the second of a serial scheme
                const double written = force(2 * vertex, time);
                const double mapped =
                    constraint == "consistent" ? written : written + force(2 * vertex + 1, time);
                CHECK(values[0] ==
                      doctest::Approx(kind == "multiply" ? mapped * share : mapped / share));
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE(
    "an action on a received mesh after the read mappings changes what is shown, not mapped") {
  Case one;
  one.both_ways = true;
  one.action = by_area("multiply", "Heat", "read-mapping-post");
  one.of_a = R"(<export:csv directory="shown" />)";
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Table table = play_case(one, deal);
    const auto& read = table.at("Heat at 2");
    REQUIRE(read.size() == std::size_t(4 * num_pieces));
    for (const auto& [vertex, values] : read) {
      CHECK(values[0] == heat(vertex / 2, 2));
    }
    if (!here.is_root()) {
      continue;
    }
    std::size_t shown = 0;
    for (const auto& entry : std::filesystem::directory_iterator("shown")) {
      const std::string name = entry.path().filename();
      if (name.find("B-Mesh-A") != 0 || name.find("dt2") == std::string::npos) {
        continue;
      }
      std::ifstream file(entry.path());
      std::string line;
      std::getline(file, line);
      REQUIRE(line.find("PosX;PosY") == 0);
      const bool heat_is_last = line.find("Force") < line.find("Heat");
      while (std::getline(file, line)) {
        std::vector<double> row;
        for (std::size_t at = 0; at <= line.size(); at = line.find(';', at) + 1) {
          row.push_back(std::strtod(line.c_str() + at, nullptr));
          if (line.find(';', at) == std::string::npos) {
            break;
          }
        }
        const int piece = static_cast<int>(row[0] / 4);
        const int vertex = 2 * piece + (row[0] > start_of(piece) ? 1 : 0);
        CHECK(row[row.size() - (heat_is_last ? 1 : 2)] ==
              doctest::Approx(heat(vertex, 2) * length_of(piece) / 2));
        ++shown;
      }
    }
    CHECK(shown >= std::size_t(2 * num_pieces));
  }
}

TEST_CASE("a vertex of a received mesh without elements cannot be divided by its area") {
  Case one;
  one.action = by_area("divide");
  one.constraint = "consistent";
  for (const Deal& deal : deals(2)) {
    const auto bare = [](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      std::vector<int> ids(1);
      const double x = seat.launch.rank;
      participant.set_mesh_vertices(seat.participant + "-Mesh", std::vector<double>{x, 0}, ids);
      participant.initialize();
      while (participant.is_coupling_ongoing()) {
        participant.advance(1);
      }
    };
    const Outcome outcome = play(xml(one), {{"A", bare}, {"B", bare}}, deal);
    for (const char* participant : {"A", "B"}) {
      const std::string& error = outcome.errors.at(participant);
      CHECK(error.find("<action:divide-by-area mesh=\"B-Mesh\"> in line") != std::string::npos);
      CHECK(error.find("has no area") != std::string::npos);
    }
  }
}
