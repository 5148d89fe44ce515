// SPDX-License-Identifier: BSD-3-Clause
// A participant in the middle has an explicit scheme with one partner and an implicit one with
// another, and their windows have different sizes.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace couple;

namespace {

constexpr int num_vertices = 3;

/// A and C map to and from the mesh of B, in the middle.
std::string xml(const Scheme& between_a_and_b, const Scheme& between_b_and_c) {
  Scenario scenario{{between_a_and_b, between_b_and_c},
                    {{.from = "A", .to = "B", .data = "AB", .mapping = {.direction = "write"}},
                     {.from = "B", .to = "A", .data = "BA"},
                     {.from = "B", .to = "C", .data = "BC", .substeps = true},
                     {.from = "C",
                      .to = "B",
                      .data = "CB",
                      .mapping = {.direction = "write"},
                      .substeps = true}}};
  scenario.schemes.back().control = "<max-iterations value=\"3\"/>";
  return scenario.xml();
}

/// What was read of each data, by vertex.
using Seen = std::map<std::string, std::vector<std::vector<double>>>;

void put_all(const Seat& seat, const std::vector<int>& vertices, const Seen& seen) {
  for (const auto& [data, values] : seen) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      seat.put(seat.participant + "/" + data, vertices[i], values[i]);
    }
  }
}

/// Reads at the start and the end of each step, writes, and tells (step, window complete) as well
/// as what it read. Three vertices at x = 0, 1/2, 1.
void solve(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const std::string self = seat.participant;
  const std::string mesh = self + "-Mesh";
  std::vector<double> xs;
  std::vector<double> positions;
  std::vector<int> vertices;
  for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
    vertices.push_back(v);
    xs.push_back(v / 2.0);
    positions.insert(positions.end(), {v / 2.0, 0.0});
  }
  std::vector<isthmus::VertexId> ids(xs.size());
  participant.set_mesh_vertices(mesh, positions, ids);
  participant.initialize();
  Seen seen;
  std::vector<double> steps;
  const auto read = [&](const std::string& data, double dt) {
    std::vector<double> values(ids.size());
    for (const double at : {0.0, dt}) {
      participant.read_data(mesh, data, ids, at, values);
      seen[data].resize(ids.size());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seen[data][i].push_back(values[i]);
      }
    }
    return values;
  };
  const auto write = [&](const std::string& data, const auto& of) {
    std::vector<double> values(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] = of(i);
    }
    participant.write_data(mesh, data, ids, values);
  };
  double t = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? t : kept;
    const double dt = participant.max_time_step_size();
    const double end = t + dt;
    if (self == "B") {
      const auto a = read("AB", dt);
      const auto c = read("CB", dt);
      write("BA", [&](std::size_t i) { return 0.5 * a[i] + 0.1 * c[i] + end; });
      write("BC", [&](std::size_t i) { return 0.3 * a[i] - c[i] * 0.2 + 1; });
    } else {
      const auto b = read("B" + self, dt);
      write(self + "B", [&](std::size_t i) {
        return self == "A" ? 0.4 * b[i] + end + xs[i] : 0.5 * b[i] + end;
      });
    }
    participant.advance(dt);
    t = participant.requires_reading_checkpoint() ? kept : end;
    steps.insert(steps.end(), {dt, participant.is_time_window_complete() ? 1.0 : 0.0});
  }
  participant.finalize();
  seat.put(self + "/steps", seat.launch.rank, steps);
  put_all(seat, vertices, seen);
}

std::vector<Role> all_three() {
  return {{"A", solve}, {"B", solve}, {"C", solve}};
}

/// Of vertex 0 and vertex 2, at the start and the end of each step.
void check_read(const Table& table, const std::string& series, const std::vector<double>& of_0,
                const std::vector<double>& of_2) {
  CAPTURE(series);
  for (const auto& [vertex, expected] : {std::pair(0, of_0), std::pair(2, of_2)}) {
    const auto found = table.at(series).find(vertex);
    REQUIRE(found != table.at(series).end());
    REQUIRE(found->second.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(std::abs(found->second[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])));
    }
  }
}

void check_steps(const Table& table, const std::string& name, const std::vector<double>& expected) {
  for (const auto& [rank, steps] : table.at(name + "/steps")) {
    CHECK(steps == expected);
  }
}

} // namespace

namespace {

/// A run as preCICE 3.4.1 recorded it: steps of all three, and what was read at vertices 0 and 2.
struct Recorded {
  std::string what;
  Scheme between_a_and_b;
  Scheme between_b_and_c;
  std::map<std::string, std::vector<double>> steps;
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> read;
};

const std::vector<Recorded> recorded{
    // The explicit scheme sends at time 4 what stood at time 2: its clock began again with the
    // implicit window.
    {"windows 2 and 3, B leads neither scheme",
     {"A", "B", "serial-explicit", 2, 6},
     {"B", "C", "serial-implicit", 3, 6},
     {{"A", {2, 1, 2, 1, 2, 1}},
      {"B", {2, 1, 1, 0, 3, 0, 3, 1, 1, 1, 2, 0, 3, 0, 3, 1}},
      {"C", {3, 0, 3, 0, 3, 1, 3, 0, 3, 0, 3, 1}}},
     {{"A/BA", {{0, 0, 3, 3, 3, 3}, {0, 0, 3.5, 3.5, 3.5, 3.5}}},
      {"B/AB",
       {{0, 2, 2, 3.6, 2, 3.6, 2, 3.6, 3.6, 5.2, 5.2, 7.2, 5.2, 7.2, 5.2, 7.2},
        {0, 3, 3, 4.7, 3, 4.7, 3, 4.7, 4.7, 6.4, 6.4, 8.4, 6.4, 8.4, 6.4, 8.4}}},
      {"B/CB",
       {{0, 0, 0, 0, 0, 4.04, 0, 3.636, 3.6764, 3.6764, 3.6764, 3.6764, 3.6764, 7.21236, 3.6764,
         6.858764},
        {0, 0, 0, 0, 0, 4.205, 0, 3.7845, 3.82655, 3.82655, 3.82655, 3.82655, 3.82655, 7.377345,
         3.82655, 7.0222655}}},
      {"C/BC",
       {{0, 2.08, 0, 1.272, 0, 1.3528, 1.3528, 2.42472, 1.3528, 1.717528, 1.3528, 1.7882472},
        {0, 2.41, 0, 1.569, 0, 1.6531, 1.6531, 2.75469, 1.6531, 2.044531, 1.6531, 2.1155469}}}}},
    // B is the first one of the explicit scheme and leads the implicit one.
    {"windows 0.5 and 1, B leads both schemes",
     {"B", "A", "serial-explicit", 0.5, 2},
     {"C", "B", "serial-implicit", 1, 2},
     {{"A", {0.5, 1, 0.5, 1, 0.5, 1, 0.5, 1}},
      {"B", {0.5, 1, 0.5, 0, 1, 0, 1, 1, 0.5, 1, 0.5, 0, 1, 0, 1, 1}},
      {"C", {1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1}}},
     {{"A/BA",
       {{0, 0.55, 0.55, 0.55, 0.55, 1.50572, 1.50572, 2.305974},
        {0, 0.55, 0.55, 0.55, 0.55, 2.01922, 2.01922, 2.819549}}},
      {"B/AB",
       {{0, 0, 0.72, 0.72, 0.72, 0.72, 0.72, 0.72, 1.22, 1.22, 2.102288, 2.102288, 2.102288,
         2.102288, 2.102288, 2.102288},
        {0, 0, 1.72, 1.72, 1.72, 1.72, 1.72, 1.72, 2.22, 2.22, 3.307688, 3.307688, 3.307688,
         3.307688, 3.307688, 3.307688}}},
      {"B/CB",
       {{0, 0.5, 0.5, 1, 0, 1.508, 0, 1.4572, 1.4572, 1.95974, 1.95974, 2.46228, 1.4572, 2.5691152,
         1.4572, 2.55843168},
        {0, 0.5, 0.5, 1, 0, 1.658, 0, 1.5922, 1.5922, 2.09549, 2.09549, 2.59878, 1.5922, 2.7362752,
         1.5922, 2.72252568}}},
      {"C/BC",
       {{0, 0, 0, 1.016, 0, 0.9144, 0.92456, 0.92456, 0.92456, 1.1382304, 0.92456, 1.11686336},
        {0, 0, 0, 1.316, 0, 1.1844, 1.19756, 1.19756, 1.19756, 1.4725504, 1.19756, 1.44505136}}}}},
};

} // namespace

TEST_CASE("an explicit scheme waits for an implicit one with larger windows, as recorded" *
          on_ranks_for(3)) {
  for (const Recorded& one : recorded) {
    CAPTURE(one.what);
    for (const Deal& deal : deals(3)) {
      const Table table = run(xml(one.between_a_and_b, one.between_b_and_c), all_three(), deal);
      for (const auto& [name, steps] : one.steps) {
        check_steps(table, name, steps);
      }
      for (const auto& [series, values] : one.read) {
        check_read(table, series, values.first, values.second);
      }
    }
  }
}

/// In the first of three iterations each window of the explicit scheme ends a step, in the others
/// none does.
TEST_CASE("in windows of any two sizes the explicit scheme takes part in the first iteration" *
          on_ranks_for(3)) {
  struct Sizes {
    double between_a_and_b;
    double between_b_and_c;
    std::vector<double> of_b;
  };
  const std::vector<Sizes> all{
      {0.75, 1, {0.75, 1, 0.25, 0, 1,    0, 1,    1, 0.5, 1, 0.5, 0,
                 1,    0, 1,    1, 0.25, 1, 0.75, 0, 1,   0, 1,   1}},
      {0.25, 0.75, {0.25, 1, 0.25, 1, 0.25, 0, 0.75, 0, 0.75, 1,
                    0.25, 1, 0.25, 1, 0.25, 0, 0.75, 0, 0.75, 1}},
      {1.5, 1, {1, 0, 1, 0, 1, 1, 0.5, 1, 0.5, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1}}};
  for (const Sizes& sizes : all) {
    const double end = sizes.between_a_and_b == 0.25 ? 1.5 : 3;
    for (const char* kind : {"serial-explicit", "parallel-explicit"}) {
      CAPTURE(kind);
      CAPTURE(sizes.between_a_and_b);
      const std::string text = xml({"A", "B", kind, sizes.between_a_and_b, end},
                                   {"B", "C", "parallel-implicit", sizes.between_b_and_c, end});
      for (const Deal& deal : deals(3)) {
        check_steps(run(text, all_three(), deal), "B", sizes.of_b);
      }
    }
  }
}

/// A writes 1 + x for time 1 and ends there. While B repeats the window from 0 to 2 it reads what
/// the run of A ended with, also at times before.
TEST_CASE("data of a serial scheme that has ended stays while an implicit window is repeated" *
          on_ranks_for(3)) {
  const std::string text =
      xml({"A", "B", "serial-explicit", 1, 1}, {"B", "C", "parallel-implicit", 2, 2});
  for (const Deal& deal : deals(3)) {
    const Table table = run(text, all_three(), deal);
    check_steps(table, "A", {1, 1});
    check_steps(table, "B", {1, 1, 1, 0, 2, 0, 2, 1});
    check_read(table, "B/AB", {0, 1, 1, 1, 1, 1, 1, 1}, {0, 2, 2, 2, 2, 2, 2, 2});
  }
}

/// The converged value of each window goes out, none of an iteration before: A reads
/// BA(t) = 0.5 AB(t - 1) + 0.1 CB(t) + t of the last iteration, which the test computes itself.
TEST_CASE("with windows of one size the explicit scheme hands over what the last iteration gave" *
          on_ranks_for(3)) {
  const std::string text =
      xml({"A", "B", "parallel-explicit", 1, 3}, {"B", "C", "parallel-implicit", 1, 3});
  for (const Deal& deal : deals(3)) {
    const Table table = run(text, all_three(), deal);
    check_steps(table, "B", {1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1});
    double ab = 0; // at vertex 0, of the last window
    double ba = 0;
    double bc = 0;
    double cb = 0;
    std::vector<double> read_by_a;
    for (int window = 1; window <= 3; ++window) {
      read_by_a.insert(read_by_a.end(), {ba, ba});
      double next_ba = 0;
      for (int iteration = 1; iteration <= 3; ++iteration) {
        next_ba = 0.5 * ab + 0.1 * cb + window;
        const double next_bc = 0.3 * ab - 0.2 * cb + 1;
        cb = 0.5 * bc + window;
        bc = next_bc;
      }
      ab = 0.4 * ba + window;
      ba = next_ba;
    }
    const auto found = table.at("A/BA").find(0);
    REQUIRE(found != table.at("A/BA").end());
    REQUIRE(found->second.size() == read_by_a.size());
    for (std::size_t i = 0; i < read_by_a.size(); ++i) {
      CHECK(std::abs(found->second[i] - read_by_a[i]) <= 1e-12 * (1 + read_by_a[i]));
    }
  }
}
