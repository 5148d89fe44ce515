// SPDX-License-Identifier: BSD-3-Clause
// A participant in the middle has an explicit scheme with one partner and an implicit one with
// another, and their windows have different sizes.
#include "participant/couple.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

using namespace couple;

namespace {

constexpr int num_vertices = 3;

std::string scheme(const std::string& kind, const std::string& first, const std::string& second,
                   double window, double end, const std::string& rest) {
  return fmt::format(
      "<coupling-scheme:{0}><participants first=\"{1}\" second=\"{2}\"/><max-time value=\"{4}\"/>"
      "<time-window-size value=\"{3}\"/>{5}</coupling-scheme:{0}>",
      kind, first, second, window, end, rest);
}

std::string exchange(const std::string& data, const std::string& mesh, bool substeps = false) {
  return fmt::format("<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\" substeps=\"{}\"/>",
                     data, mesh, data.substr(0, 1), data.substr(1), substeps);
}

const std::string explicit_data = exchange("AB", "MB") + exchange("BA", "MB");
const std::string implicit_data =
    exchange("BC", "MB", true) + exchange("CB", "MB", true) + "<max-iterations value=\"3\"/>";

std::string xml(const std::string& schemes) {
  std::string text = "<precice-configuration><log enabled=\"false\"/>";
  for (const char* data : {"AB", "BA", "BC", "CB"}) {
    text += fmt::format("<data:scalar name=\"{}\"/>", data);
  }
  const auto mesh = [](const char* name, std::initializer_list<const char*> all) {
    std::string result = fmt::format("<mesh name=\"{}\" dimensions=\"2\">", name);
    for (const char* data : all) {
      result += fmt::format("<use-data name=\"{}\"/>", data);
    }
    return result + "</mesh>";
  };
  const auto side = [](const std::string& self) {
    return fmt::format(
        "<participant name=\"{0}\"><provide-mesh name=\"M{0}\"/><receive-mesh name=\"MB\" "
        "from=\"B\"/><write-data name=\"{0}B\" mesh=\"M{0}\"/><read-data name=\"B{0}\" "
        "mesh=\"M{0}\"/><mapping:nearest-neighbor direction=\"write\" from=\"M{0}\" to=\"MB\" "
        "constraint=\"consistent\"/><mapping:nearest-neighbor direction=\"read\" from=\"MB\" "
        "to=\"M{0}\" constraint=\"consistent\"/></participant>",
        self);
  };
  return text + mesh("MA", {"AB", "BA"}) + mesh("MB", {"AB", "BA", "BC", "CB"}) +
         mesh("MC", {"BC", "CB"}) + side("A") +
         "<participant name=\"B\"><provide-mesh name=\"MB\"/><write-data name=\"BA\" mesh=\"MB\"/>"
         "<write-data name=\"BC\" mesh=\"MB\"/><read-data name=\"AB\" mesh=\"MB\"/><read-data "
         "name=\"CB\" mesh=\"MB\"/></participant>" +
         side("C") +
         "<m2n:sockets acceptor=\"A\" connector=\"B\" exchange-directory=\"{directory}\"/>"
         "<m2n:sockets acceptor=\"B\" connector=\"C\" exchange-directory=\"{directory}\"/>" +
         schemes + "</precice-configuration>";
}

/// Reads at the start and the end of each step, writes, and tells (step, window complete) as well
/// as what it read. Three vertices at x = 0, 1/2, 1.
void solve(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const std::string self = seat.participant;
  const std::string mesh = "M" + self;
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
  std::map<std::string, std::vector<std::vector<double>>> seen;
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
  for (const auto& [data, values] : seen) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put(self + "/" + data, vertices[i], values[i]);
    }
  }
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

/// The numbers were recorded from preCICE 3.4.1. The explicit scheme sends at time 4 what stood at
/// time 2: its clock began again with the implicit window.
TEST_CASE("an explicit scheme with window 2 waits for the implicit one with window 3" *
          on_ranks_for(3)) {
  const std::string text = xml(scheme("serial-explicit", "A", "B", 2, 6, explicit_data) +
                               scheme("serial-implicit", "B", "C", 3, 6, implicit_data));
  for (const Deal& deal : deals(3)) {
    const Table table = run(text, all_three(), deal);
    check_steps(table, "A", {2, 1, 2, 1, 2, 1});
    check_steps(table, "B", {2, 1, 1, 0, 3, 0, 3, 1, 1, 1, 2, 0, 3, 0, 3, 1});
    check_steps(table, "C", {3, 0, 3, 0, 3, 1, 3, 0, 3, 0, 3, 1});
    check_read(table, "A/BA", {0, 0, 3, 3, 3, 3}, {0, 0, 3.5, 3.5, 3.5, 3.5});
    check_read(table, "B/AB",
               {0, 2, 2, 3.6, 2, 3.6, 2, 3.6, 3.6, 5.2, 5.2, 7.2, 5.2, 7.2, 5.2, 7.2},
               {0, 3, 3, 4.7, 3, 4.7, 3, 4.7, 4.7, 6.4, 6.4, 8.4, 6.4, 8.4, 6.4, 8.4});
    check_read(table, "B/CB",
               {0, 0, 0, 0, 0, 4.04, 0, 3.636, 3.6764, 3.6764, 3.6764, 3.6764, 3.6764, 7.21236,
                3.6764, 6.858764},
               {0, 0, 0, 0, 0, 4.205, 0, 3.7845, 3.82655, 3.82655, 3.82655, 3.82655, 3.82655,
                7.377345, 3.82655, 7.0222655});
    check_read(
        table, "C/BC",
        {0, 2.08, 0, 1.272, 0, 1.3528, 1.3528, 2.42472, 1.3528, 1.717528, 1.3528, 1.7882472},
        {0, 2.41, 0, 1.569, 0, 1.6531, 1.6531, 2.75469, 1.6531, 2.044531, 1.6531, 2.1155469});
  }
}

/// Recorded from preCICE 3.4.1: B is the first one of the explicit scheme and leads the implicit
/// one.
TEST_CASE("an explicit scheme with window 0.5 waits for the implicit one with window 1" *
          on_ranks_for(3)) {
  const std::string text = xml(scheme("serial-explicit", "B", "A", 0.5, 2, explicit_data) +
                               scheme("serial-implicit", "C", "B", 1, 2, implicit_data));
  for (const Deal& deal : deals(3)) {
    const Table table = run(text, all_three(), deal);
    check_steps(table, "B", {0.5, 1, 0.5, 0, 1, 0, 1, 1, 0.5, 1, 0.5, 0, 1, 0, 1, 1});
    check_read(table, "A/BA", {0, 0.55, 0.55, 0.55, 0.55, 1.50572, 1.50572, 2.305974},
               {0, 0.55, 0.55, 0.55, 0.55, 2.01922, 2.01922, 2.819549});
    check_read(table, "B/AB",
               {0, 0, 0.72, 0.72, 0.72, 0.72, 0.72, 0.72, 1.22, 1.22, 2.102288, 2.102288, 2.102288,
                2.102288, 2.102288, 2.102288},
               {0, 0, 1.72, 1.72, 1.72, 1.72, 1.72, 1.72, 2.22, 2.22, 3.307688, 3.307688, 3.307688,
                3.307688, 3.307688, 3.307688});
    check_read(
        table, "C/BC",
        {0, 0, 0, 1.016, 0, 0.9144, 0.92456, 0.92456, 0.92456, 1.1382304, 0.92456, 1.11686336},
        {0, 0, 0, 1.316, 0, 1.1844, 1.19756, 1.19756, 1.19756, 1.47255040, 1.19756, 1.44505136});
  }
}

/// A writes 1 + x for time 1 and ends there. While B repeats the window from 0 to 2 it reads what
/// the run of A ended with, also at times before.
TEST_CASE("data of a serial scheme that has ended stays while an implicit window is repeated" *
          on_ranks_for(3)) {
  const std::string text = xml(scheme("serial-explicit", "A", "B", 1, 1, explicit_data) +
                               scheme("parallel-implicit", "B", "C", 2, 2, implicit_data));
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
  const std::string text = xml(scheme("parallel-explicit", "A", "B", 1, 3, explicit_data) +
                               scheme("parallel-implicit", "B", "C", 1, 3, implicit_data));
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
