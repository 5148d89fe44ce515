// SPDX-License-Identifier: BSD-3-Clause
// Data that an action makes on a received mesh of data that are mapped to it.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

using namespace couple;

namespace {

constexpr int num_vertices = 5; // of B, at x = i / 4

struct Sum {
  std::string kind = "serial-explicit";
  std::string control = "";
  std::string of_a = ""; // more children of A
  bool substeps = false;
  bool initialize = false;
  // how D2 is mapped: coarse graining within next to nothing takes the nearest vertex, too
  std::string kind_of_2 = "nearest-neighbor";
};

/// D1 and D3 come conservatively, D2 consistently, from meshes of their own. Only Sum is exchanged.
std::string xml(const Sum& sum) {
  Scenario scenario{
      {{.first = "A", .second = "B", .kind = sum.kind, .max_windows = 2, .control = sum.control}},
      {{.from = "A",
        .to = "B",
        .data = "Sum",
        .vector = true,
        .mapping = {.direction = "write"},
        .initialize = sum.initialize,
        .substeps = sum.substeps,
        .way = Way::from_action},
       {.from = "B",
        .to = "A",
        .data = "Back",
        .substeps = sum.substeps,
        .meshes = {.own = "MD1"}}}};
  const bool is_grained = sum.kind_of_2 == "coarse-graining";
  scenario.experimental = is_grained;
  std::string& action = scenario.inside["A"];
  action = R"(<action:summation timing="write-mapping-post" mesh="B-Mesh">)";
  for (int i = 1; i <= 3; ++i) {
    scenario.flows.push_back({.from = "A",
                              .to = "B",
                              .data = fmt::format("D{}", i),
                              .vector = true,
                              .mapping = {.kind = i == 2 ? sum.kind_of_2 : "nearest-neighbor",
                                          .options = i == 2 && is_grained ? R"(radius="1e-3")" : "",
                                          .direction = "write",
                                          .constraint = i == 2 ? "consistent" : "conservative"},
                              .meshes = {.own = fmt::format("MD{}", i)},
                              .way = Way::to_action});
    action += fmt::format("<source-data name=\"D{}\"/>", i);
  }
  action += "<target-data name=\"Sum\"/></action:summation>" + sum.of_a;
  return scenario.xml();
}

struct Points {
  std::string mesh;
  std::vector<double> xs;
  double y;
};

/// The places of the scenario recorded from preCICE 3.4.1, see the test below.
const std::vector<Points> of_a{{"MD1", {0, 0.25, 0.5, 0.75, 1}, 0},
                               {"MD2", {0.05, 0.475, 0.9}, 0.2},
                               {"MD3", {0.2, 0.2 + 1.0 / 3, 0.2 + 2.0 / 3, 1.2}, 0}};
const Points of_b{"B-Mesh", {0, 0.25, 0.5, 0.75, 1}, 0.1};

struct Held {
  std::vector<std::size_t> numbers; // of the points of this rank
  std::vector<isthmus::VertexId> ids;
};

Held define(const Seat& seat, isthmus::Participant& participant, const Points& points) {
  Held held;
  std::vector<double> positions;
  for (std::size_t i = 0; i < points.xs.size(); ++i) {
    if (static_cast<int>(i) % seat.launch.size == seat.launch.rank) {
      held.numbers.push_back(i);
      positions.insert(positions.end(), {points.xs[i], points.y});
    }
  }
  held.ids.resize(held.numbers.size());
  participant.set_mesh_vertices(points.mesh, positions, held.ids);
  return held;
}

std::array<double, 2> value(std::size_t mesh, std::size_t point, double t) {
  const Points& points = of_a[mesh];
  const double x = points.xs[point];
  switch (mesh) {
    case 0:
      return {t + x, 1 - points.y};
    case 1:
      return {10 * x, points.y * t};
    default:
      return {3, static_cast<double>(point)};
  }
}

void play_a(const Seat& seat, double step) {
  isthmus::Participant participant = seat.make();
  std::vector<Held> held;
  for (const Points& points : of_a) {
    held.push_back(define(seat, participant, points));
  }
  const auto write = [&](double t) {
    for (std::size_t m = 0; m < of_a.size(); ++m) {
      std::vector<double> values;
      for (const std::size_t point : held[m].numbers) {
        const auto pair = value(m, point, t);
        values.insert(values.end(), pair.begin(), pair.end());
      }
      participant.write_data(of_a[m].mesh, fmt::format("D{}", m + 1), held[m].ids, values);
    }
  };
  if (participant.requires_initial_data()) {
    write(0);
  }
  participant.initialize();
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    const double dt = std::min(step, participant.max_time_step_size());
    write(t + dt);
    participant.advance(dt);
    t = participant.requires_reading_checkpoint() ? kept : t + dt;
  }
  participant.finalize();
}

void play_b(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const Held held = define(seat, participant, of_b);
  participant.initialize();
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    std::vector<double> values(2 * held.ids.size());
    for (const double at : {0.0, 0.5, 1.0}) {
      participant.read_data(of_b.mesh, "Sum", held.ids, at, values);
      for (std::size_t i = 0; i < held.numbers.size(); ++i) {
        seat.put(fmt::format("Sum at {} + {}", t, at), static_cast<int>(held.numbers[i]),
                 {values[2 * i], values[2 * i + 1]});
      }
    }
    participant.advance(1);
    t = participant.requires_reading_checkpoint() ? kept : t + 1;
  }
  participant.finalize();
}

std::vector<Role> both(double step = 1) {
  return {{"A", [step](const Seat& seat) { play_a(seat, step); }}, {"B", play_b}};
}

/// Of the last time it was read.
void check_sums(const Table& table, const std::string& series, const std::vector<double>& first,
                const std::vector<double>& second) {
  CAPTURE(series);
  for (int vertex = 0; vertex < num_vertices; ++vertex) {
    const auto [begin, end] = table.at(series).equal_range(vertex);
    REQUIRE(begin != end);
    const std::vector<double>& seen = std::prev(end)->second;
    CHECK(std::abs(seen[0] - first[static_cast<std::size_t>(vertex)]) < 1e-12 * 20);
    CHECK(std::abs(seen[1] - second[static_cast<std::size_t>(vertex)]) < 1e-12 * 20);
  }
}

} // namespace

TEST_CASE("a sum on a received mesh takes data that are mapped to it but not exchanged") {
  for (const std::string kind_of_2 : {"nearest-neighbor", "coarse-graining"}) {
    for (const Deal& deal : deals(2)) { // recorded from preCICE 3.4.1
      CAPTURE(kind_of_2);
      const Table table = run(xml({.kind_of_2 = kind_of_2}), both(), deal);
      check_sums(table, "Sum at 0 + 0", {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0});
      check_sums(table, "Sum at 0 + 1", {1.5, 4.75, 9.25, 13.75, 14}, {1.2, 1.2, 2.2, 3.2, 4.2});
      check_sums(table, "Sum at 1 + 0", {1.5, 4.75, 9.25, 13.75, 14}, {1.2, 1.2, 2.2, 3.2, 4.2});
      check_sums(table, "Sum at 1 + 1", {2.5, 5.75, 10.25, 14.75, 15}, {1.4, 1.4, 2.4, 3.4, 4.4});
    }
  }
}

TEST_CASE(
    "a sum on a received mesh is there inside of windows, as initial data and in iterations") {
  const std::vector<double> at_0{0.5, 3.75, 8.25, 12.75,
                                 13}; // D1 grows with t, the rest is constant
  const std::vector<double> at_half{1, 4.25, 8.75, 13.25, 13.5};
  const std::vector<double> at_1{1.5, 4.75, 9.25, 13.75, 14};
  const std::vector<double> other_0{1, 1, 2, 3, 4};
  const std::vector<double> other_half{1.1, 1.1, 2.1, 3.1, 4.1};
  const std::vector<double> other_1{1.2, 1.2, 2.2, 3.2, 4.2};
  const std::string control = "<max-iterations value=\"3\"/>";
  for (const Sum& sum :
       {Sum{.substeps = true, .initialize = true},
        Sum{.kind = "serial-implicit", .control = control, .substeps = true, .initialize = true},
        Sum{.kind = "parallel-implicit",
        .control = control,
        .substeps = true,
        .initialize = true}}) {
    for (const Deal& deal : deals(2)) {
      CAPTURE(sum.kind);
      const Table table = run(xml(sum), both(0.5), deal);
      check_sums(table, "Sum at 0 + 0", at_0, other_0);
      check_sums(table, "Sum at 0 + 0.5", at_half, other_half);
      check_sums(table, "Sum at 0 + 1", at_1, other_1);
    }
  }
}

TEST_CASE("a sum of several mappings is measured as one by the participant that makes it") {
  // the norm of the sum is 23.05; each iteration leaves half of it, 5.76 before the third, 2.88
  // before the fourth; what comes of each mapping alone would be within the limit in the third
  const Sum sum{
      .kind = "multi",
      .control =
          "<max-iterations value=\"9\"/><absolute-convergence-measure data=\"Sum\" "
          "mesh=\"B-Mesh\" limit=\"5.7\"/><acceleration:constant><relaxation value=\"0.5\"/>"
          "</acceleration:constant>"};
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml(sum), both(), deal);
    const auto [begin, end] = table.at("Sum at 0 + 1").equal_range(0);
    CHECK(std::distance(begin, end) == 4);
  }
}

TEST_CASE("exports of the participant that makes a sum on a received mesh do not disturb it") {
  const std::string exports = "<export:csv directory=\"{directory}/out\"/>";
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml({.of_a = exports}), both(), deal);
    check_sums(table, "Sum at 0 + 1", {1.5, 4.75, 9.25, 13.75, 14}, {1.2, 1.2, 2.2, 3.2, 4.2});
  }
}
