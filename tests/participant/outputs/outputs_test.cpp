// SPDX-License-Identifier: BSD-3-Clause
// What participants write beside their coupling, and actions on their data.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using isthmus::rows_of;
using namespace couple;

namespace {

constexpr int num_cells = 4; // of the line from (0, 0) to (1, 0)

/// A writes Flux and reads Temp, B the other way round and maps.
std::string xml(const std::string& of_a, const std::string& of_b, const std::string& kind,
                const std::string& control) {
  return Scenario{
      .schemes =
          {{.first = "A", .second = "B", .kind = kind, .max_windows = 2, .control = control}},
      .flows = {{.from = "B", .to = "A", .data = "Temp", .mapping = {.direction = "write"}},
                {.from = "A",
                 .to = "B",
                 .data = "Flux",
                 .vector = true,
                 .mapping = {.kind = "nearest-projection"}}},
      .inside = {{"A", of_a}, {"B", of_b}},
      .unused = {{"B-Mesh", {"Sum"}}}}
      .xml();
}

double temperature(double x, double t) {
  return 10 + x + t;
}
double flux(double x, double t, int component) {
  return component == 0 ? x + t : 2 * t;
}

/// Takes the cells of the line in turn and couples; B tells what Flux it reads at the end of steps.
void solve(const Seat& seat, double largest_step = 1) {
  isthmus::Participant participant = seat.make();
  const bool is_a = seat.participant == "A";
  const std::string mesh = is_a ? "A-Mesh" : "B-Mesh";
  std::vector<int> ids;
  std::vector<double> xs;
  for (int cell = seat.launch.rank; cell < num_cells; cell += seat.launch.size) {
    std::vector<int> ends(2);
    const double x = cell / double{num_cells};
    const std::vector<double> places{x, 0, x + 1.0 / num_cells, 0};
    participant.set_mesh_vertices(mesh, places, ends);
    participant.set_mesh_edges(mesh, ends);
    ids.insert(ids.end(), ends.begin(), ends.end());
    xs.insert(xs.end(), {places[0], places[2]});
  }
  participant.initialize();
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      kept = t;
    }
    const double dt = std::min(largest_step, participant.max_time_step_size());
    std::vector<double> read(2 * ids.size());
    if (!is_a) {
      participant.read_data(mesh, "Flux", ids, dt, read);
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (is_a) {
        values.insert(values.end(), {flux(xs[i], t + dt, 0), flux(xs[i], t + dt, 1)});
      } else {
        values.push_back(temperature(xs[i], t + dt));
        seat.put(fmt::format("B reads at {}", t + dt),
                 static_cast<int>(std::lround(xs[i] * num_cells)), {read[2 * i], read[2 * i + 1]});
      }
    }
    participant.write_data(mesh, is_a ? "Flux" : "Temp", ids, values);
    participant.advance(dt);
    t = participant.requires_reading_checkpoint() ? kept : t + dt;
  }
  participant.finalize();
}

std::vector<Role> both(double step_of_a = 1) {
  return {{"A", [step_of_a](const Seat& seat) { solve(seat, step_of_a); }},
          {"B", [](const Seat& seat) { solve(seat); }}};
}

/// Rows of all pieces of one csv export.
std::vector<std::vector<double>> exported(const std::string& mesh, int size,
                                          const std::string& index) {
  std::vector<std::vector<double>> rows;
  for (int rank = 0; rank < size; ++rank) {
    const auto piece = rows_of(size == 1 ? fmt::format("out/{}.{}.csv", mesh, index)
                                         : fmt::format("out/{}.{}_{}.csv", mesh, rank, index));
    rows.insert(rows.end(), piece.begin(), piece.end());
  }
  return rows;
}

int ranks(const Deal& deal, std::size_t participant) {
  return deal.empty() ? 1 : deal[participant];
}

void check_row(const std::vector<double>& row, const std::vector<double>& expected) {
  REQUIRE(row.size() == expected.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    CHECK(std::abs(row[i] - expected[i]) <= 1e-8 * std::abs(expected[i]));
  }
}

} // namespace

TEST_CASE("exports show meshes with the latest data, the received ones too") {
  const std::string exports = R"(<export:csv directory="out" /><export:vtu directory="out" />)";
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(run(xml(exports, exports, "parallel-explicit", ""), both(), deal));
    if (!here.is_root()) {
      continue;
    }
    for (const auto& [mesh, size] : {std::pair(std::string("A-Mesh-A"), ranks(deal, 0)),
                                     std::pair(std::string("A-Mesh-B"), ranks(deal, 1))}) {
      for (const int window : {0, 1, 2}) {
        CAPTURE(mesh);
        CAPTURE(window);
        const auto rows = exported(mesh, size, window == 0 ? "init" : fmt::format("dt{}", window));
        CHECK(rows.size() >= num_cells + 1);
        const double t = window;
        for (const auto& row : rows) {
          const double x = row.at(0);
          const std::vector<double> expected =
              window == 0 ? std::vector<double>{x, 0, row.at(2), 0, 0, 0}
                          : std::vector<double>{
                                x, 0, row.at(2), temperature(x, t), flux(x, t, 0), flux(x, t, 1)};
          if (mesh == "A-Mesh-A") {
            check_row(row, expected);
            continue;
          }
          // of copies at one place B reads one and writes to one, perhaps on another rank
          for (std::size_t column = 3; column < expected.size(); ++column) {
            CHECK((row.at(column) == 0 || std::abs(row[column] - expected[column]) < 1e-8));
            CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
              return other[0] == x && std::abs(other[column] - expected[column]) < 1e-8;
            }));
          }
        }
      }
    }
    if (ranks(deal, 0) == 1) {
      CHECK(isthmus::content("out/A-Mesh-A.dt2.vtu").find("NumberOfCells=\"4\"") !=
            std::string::npos);
      CHECK(isthmus::content("out/A-Mesh-A.vtu.series").find("A-Mesh-A.dt2.vtu\", \"time\" : 2") !=
            std::string::npos);
    } else {
      CHECK(std::filesystem::exists("out/A-Mesh-A.dt2.pvtu"));
    }
  }
}

TEST_CASE("watches show places, sums and integrals after each window") {
  const std::string watches = R"(
    <watch-point name="Probe" mesh="A-Mesh" coordinate="0.3; 0.5" />
    <watch-integral name="Scaled" mesh="A-Mesh" scale-with-connectivity="true" />
    <watch-integral name="Plain" mesh="A-Mesh" scale-with-connectivity="false" />)";
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(run(xml(watches, "", "parallel-explicit", ""), both(), deal));
    if (!here.is_root()) {
      continue;
    }
    const auto probe = rows_of("precice-A-watchpoint-Probe.log");
    const auto scaled = rows_of("precice-A-watchintegral-Scaled.log");
    const auto plain = rows_of("precice-A-watchintegral-Plain.log");
    REQUIRE((probe.size() == 3 && scaled.size() == 3 && plain.size() == 3));
    CHECK(isthmus::content("precice-A-watchpoint-Probe.log")
              .find("  Time  Coordinate0  Coordinate1  Temp  Flux0  Flux1\n") == 0);
    CHECK(isthmus::content("precice-A-watchintegral-Plain.log")
              .find("  Time  Temp  Flux0  Flux1  SurfaceArea\n") == 0);
    check_row(probe[0], {0, 0.3, 0, 0, 0, 0});
    check_row(scaled[0], {0, 0, 0, 0, 1});
    for (const int window : {1, 2}) {
      const double t = window;
      const auto at = static_cast<std::size_t>(window);
      check_row(probe[at], {t, 0.3, 0, temperature(0.3, t), flux(0.3, t, 0), flux(0.3, t, 1)});
      check_row(scaled[at], {t, temperature(0.5, t), flux(0.5, t, 0), flux(0.5, t, 1), 1});
      // every cell has vertices of its own
      const double count = 2 * num_cells;
      check_row(plain[at], {t, count * temperature(0.5, t), count * flux(0.5, t, 0),
                            count * flux(0.5, t, 1), 1});
    }
  }
}

/// preCICE 3.4.1 shows the same (recorded with other functions): the row of time t holds what is
/// read there, although the next window has arrived; exports show what has arrived.
TEST_CASE("watches of the second participant of a serial scheme show what it reads at their time") {
  const std::string watches = R"(
    <watch-point name="Probe" mesh="B-Mesh" coordinate="0.26; 0.5" />
    <watch-integral name="Sums" mesh="B-Mesh" scale-with-connectivity="true" />
    <export:csv directory="out" />)";
  for (const std::string kind : {"serial-explicit", "serial-implicit"}) {
    const std::string control = kind == "serial-explicit" ? "" : R"(<max-iterations value="2" />)";
    for (const Deal& deal : deals(2)) {
      CAPTURE(kind);
      const WorkingDirectory here;
      static_cast<void>(run(xml("", watches, kind, control), both(0.5), deal));
      if (!here.is_root()) {
        continue;
      }
      const auto probe = rows_of("precice-B-watchpoint-Probe.log");
      const auto sums = rows_of("precice-B-watchintegral-Sums.log");
      REQUIRE((probe.size() == 3 && sums.size() == 3));
      check_row(probe[0], {0, 0.25, 0, 0, 0, 0, 0}); // the nearest vertex
      const double count = 2 * num_cells;
      for (const int window : {1, 2}) {
        const double t = window;
        const auto at = static_cast<std::size_t>(window);
        check_row(probe[at],
                  {t, 0.25, 0, temperature(0.25, t), flux(0.25, t, 0), flux(0.25, t, 1), 0});
        check_row(sums[at], {t, count * temperature(0.5, t), count * flux(0.5, t, 0),
                             count * flux(0.5, t, 1), 0});
      }
      for (const auto& [index, t] : {std::pair("init", 1.0), {"dt1", 2.0}, {"dt2", 2.0}}) {
        for (const auto& row : exported("B-Mesh-B", ranks(deal, 1), index)) {
          CHECK(std::abs(row.at(4) - flux(row.at(0), t, 0)) < 1e-8);
        }
      }
    }
  }
}

/// Recorded from preCICE 3.4.1.
TEST_CASE("an integral over a mesh without cells has no column of the area") {
  const std::string watches = R"(
    <watch-integral name="Scaled" mesh="A-Mesh" scale-with-connectivity="true" />
    <watch-integral name="Plain" mesh="A-Mesh" scale-with-connectivity="false" />)";
  const Scenario of_points{.schemes = {{.first = "A", .second = "B", .max_windows = 1}},
                           .flows = {{.from = "A", .to = "B", .data = "Temp"}},
                           .inside = {{"A", watches}}};
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const auto play_point = [](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      const std::string mesh = seat.participant + "-Mesh";
      std::vector<int> ids(2);
      participant.set_mesh_vertices(mesh, std::vector<double>{0, 0, 1, 0}, ids);
      participant.set_mesh_edges(mesh, ids);
      participant.initialize();
      if (seat.participant == "A") {
        participant.write_data(mesh, "Temp", ids, std::vector<double>{3, 4});
      }
      participant.advance(1);
      participant.finalize();
    };
    static_cast<void>(run(of_points.xml(), {{"A", play_point}, {"B", play_point}}, deal));
    if (!here.is_root()) {
      continue;
    }
    for (const char* name : {"Scaled", "Plain"}) {
      const std::string file = fmt::format("precice-A-watchintegral-{}.log", name);
      CHECK(isthmus::content(file).find("  Time  Temp\n") == 0);
      const auto rows = rows_of(file);
      REQUIRE(rows.size() == 2);
      check_row(rows[1], {1, 7.0 * ranks(deal, 0)});
    }
  }
}

TEST_CASE("actions change every sample once, in repeated windows too") {
  const auto by_area = [](const char* kind, const char* timing, const char* mesh) {
    return fmt::format(
        R"(<action:{} timing="{}" mesh="{}"><target-data name="Flux" /></action:{}>)", kind, timing,
        mesh, kind);
  };
  const std::string multiply = by_area("multiply-by-area", "write-mapping-post", "A-Mesh");
  const std::string divide = by_area("divide-by-area", "read-mapping-post", "B-Mesh");
  const double share = 0.5 / num_cells;
  for (const std::string kind : {"parallel-explicit", "parallel-implicit", "serial-implicit"}) {
    const std::string control =
        kind == "parallel-explicit" ? "" : R"(<max-iterations value="3" />)";
    for (const Deal& deal : deals(2)) {
      CAPTURE(kind);
      const WorkingDirectory here;
      const Table plain = run(xml("", "", kind, control), both(0.5), deal);
      const Table more = run(xml(multiply, "", kind, control), both(0.5), deal);
      const Table less = run(xml("", divide, kind, control), both(0.5), deal);
      const auto check_scaled = [&plain](const Table& table, double factor) {
        for (const auto& [series, entries] : plain) {
          CAPTURE(series);
          REQUIRE(table.at(series).size() == entries.size());
          auto found = table.at(series).begin();
          for (const auto& [vertex, values] : entries) {
            const double x = factor * values[0];
            const double y = factor * values[1];
            CHECK(std::abs(found->second[0] - x) < 1e-12 * (1 + x));
            CHECK(std::abs(found->second[1] - y) < 1e-12 * (1 + y));
            ++found;
          }
        }
      };
      check_scaled(more, share);
      check_scaled(less, 1 / share);
    }
  }
}

TEST_CASE("who cannot write its outputs says so to all") {
  // A may have come and gone before B looks for it, or be late on a busy machine
  const ShortTimeout timeout(5);
  const std::string watch = R"(<watch-point name="Full" mesh="A-Mesh" coordinate="0; 0" />)";
  const std::string exports = R"(<export:vtu directory="taken/out" />)";
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    if (here.is_root()) {
      std::ofstream("taken") << "a file";
      std::filesystem::create_symlink("/dev/full", "precice-A-watchpoint-Full.log");
    }
    const auto check_both = [](const Outcome& outcome, const std::string& what) {
      REQUIRE((outcome.errors.contains("A") && outcome.errors.contains("B")));
      CAPTURE(outcome.all_errors());
      CHECK(outcome.errors.at("A").find(what) != std::string::npos);
      // unless it knocked at the moment when A closed its door
      CHECK((outcome.errors.at("B").find(what) != std::string::npos ||
             outcome.errors.at("B").find("cannot connect to participant \"A\"") == 0));
    };
    check_both(play(xml(exports, "", "parallel-explicit", ""), both(), deal), "taken/out");
    check_both(play(xml(watch, "", "parallel-explicit", ""), both(), deal), "free space");
  }
}
