// SPDX-License-Identifier: BSD-3-Clause
// Clusters of parts of meshes that are reset: what they depend on of the whole mesh changes, too,
// for ranks that see nothing move.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// Which places the vertices have in a window.
struct Version {
  int moved;      // so many vertices lie elsewhere
  double by;      // so far
  double stretch; // of all of them
};

const std::vector<Version> versions_of_a{{0, 0, 1},   {3, 0.01, 1}, {3, 0.01, 1},  {9, 0.02, 1},
                                         {1, 0.9, 1}, {0, 0, 1.4},  {5, 0.01, 1.4}};
const std::vector<Version> versions_of_b{{0, 0, 1},   {0, 0, 1},     {4, 0.01, 1}, {4, 0.01, 1},
                                         {2, 0.3, 1}, {2, 0.3, 1.2}, {2, 0.3, 1.2}};
const int num_windows = static_cast<int>(versions_of_a.size());

const Version& version(const std::string& participant, int window) {
  const auto& all = participant == "A" ? versions_of_a : versions_of_b;
  return all[static_cast<std::size_t>(window)];
}

/// Of the whole mesh, in rows with some disorder.
std::vector<double> vertices(const std::string& participant, int window) {
  const Version& now = version(participant, window);
  const int along = participant == "A" ? 24 : 17;
  std::mt19937 engine(static_cast<unsigned>(along));
  std::uniform_real_distribution<double> uniform(0.1, 0.9);
  std::vector<double> coordinates;
  for (int i = 0; i < along * along; ++i) {
    const bool is_moved = i % 7 == 3 && i < 7 * now.moved;
    const double x = (i % along + uniform(engine)) / along + (is_moved ? now.by : 0.0);
    const double y = (i / along + uniform(engine)) / along;
    coordinates.insert(coordinates.end(), {now.stretch * x, y});
  }
  return coordinates;
}

std::string run_of(const std::string& kind, const std::string& direction, int windows) {
  Scenario scenario{.schemes = {{"A", "B", "parallel-explicit", 1, 0, windows}},
                    .flows = both_ways(false, false)};
  scenario.remeshing = true;
  for (Flow& flow : scenario.flows) {
    flow.mapping.kind = kind;
    flow.mapping.direction = direction;
    flow.mapping.options = kind == "rbf" ? "" : R"(vertices-per-cluster="20")";
    flow.mapping.basis = "compact-polynomial-c4 support-radius=\"0.4\"";
  }
  return scenario.xml();
}

double profile_at(double x, double y) {
  return std::sin(3 * x) + std::cos(2 * y);
}

/// One rank; from window `first` on. Series: who reads, in which window.
void move_and_couple(const Seat& seat, int first) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  const bool is_a = seat.participant == "A";
  const auto share_of = [&](int count, int rank) { return count * rank / seat.launch.size; };
  std::vector<double> own;
  std::vector<int> ids;
  int begin = 0;
  const auto define = [&](int window) {
    const std::vector<double> all = vertices(seat.participant, window);
    const int count = static_cast<int>(all.size() / 2);
    begin = share_of(count, seat.launch.rank);
    const int end = share_of(count, seat.launch.rank + 1);
    own.assign(all.begin() + 2 * begin, all.begin() + 2 * end);
    ids.resize(static_cast<std::size_t>(end - begin));
    participant.set_mesh_vertices(mesh, own, ids);
  };
  define(first);
  participant.initialize();
  for (int window = first; participant.is_coupling_ongoing(); ++window) {
    const bool changes = window > first && vertices(seat.participant, window) !=
                                               vertices(seat.participant, window - 1);
    if (changes) {
      participant.reset_mesh(mesh);
      define(window);
    }
    std::vector<double> values(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] = profile_at(own[2 * i], own[2 * i + 1]);
    }
    participant.write_data(mesh, is_a ? "T" : "F", ids, values);
    participant.advance(1);
    participant.read_data(mesh, is_a ? "F" : "T", ids, 0, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put(fmt::format("{} {}", seat.participant, window), begin + static_cast<int>(i),
               {values[i]});
    }
  }
  participant.finalize();
}

struct Clustered {
  std::string kind;
  std::string direction; // which says who maps: the own mesh is searched by who writes
};

Table coupled(const Clustered& what, int first, int windows, const Deal& deal) {
  const auto solver = [first](const Seat& seat) { move_and_couple(seat, first); };
  const std::string xml = run_of(what.kind, what.direction, windows);
  const Outcome outcome = play(xml, {{"A", solver}, {"B", solver}}, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

double largest_of(const Table& one, const Table& other) {
  double largest = 0;
  for (const auto& [series, rows] : one) {
    REQUIRE(rows.size() == other.at(series).size());
    for (const auto& [vertex, values] : rows) {
      largest = std::max(largest, std::abs(values[0] - other.at(series).find(vertex)->second[0]));
    }
  }
  return largest;
}

} // namespace

TEST_CASE("every cluster follows meshes that are reset, however they are dealt") {
  for (const Clustered& what : {Clustered{"rbf-pum-direct", "read"}, Clustered{"rbf", "read"},
                                Clustered{"rbf-pum-direct", "write"}}) {
    CAPTURE(what.kind);
    CAPTURE(what.direction);
    Table fresh; // each window as a run that begins with it
    for (int window = 0; window < num_windows; ++window) {
      fresh.merge(coupled(what, window, 1, serial(2)));
    }
    for (const Deal& deal : deals(2)) {
      const Table moved = coupled(what, 0, num_windows, deal);
      REQUIRE(moved.size() == static_cast<std::size_t>(2 * num_windows));
      CHECK(largest_of(moved, fresh) < 1e-9);
    }
  }
}
