// SPDX-License-Identifier: BSD-3-Clause
// Meshes in awkward places and numbers, and the three ways to find partners.
#include "participant/setup/fields.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>

using namespace couple;

namespace {

/// A run of A and B with all mappings between these surfaces.
Fields all_between(const Surface& of_a, const Surface& of_b) {
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = waves;
  add_all_mappings(fields, of_a, of_b);
  return fields;
}

struct Pair {
  std::string name;
  Surface a;
  Surface b;
};

/// Points of an integer grid, moved.
Surface grid(int n, double shift) {
  std::vector<double> coordinates;
  for (int i = 0; i < n * n; ++i) {
    coordinates.insert(coordinates.end(), {i % n + shift, i / n + shift});
  }
  return cloud(2, coordinates);
}

/// A sheet and far from its edge one island more, of one small element.
Surface with_outlier(Surface surface, double distance) {
  const int first = surface.num_vertices();
  const int island = surface.island_of.back() + 1;
  for (int k = 0; k < surface.dimensions; ++k) {
    for (int axis = 0; axis < surface.dimensions; ++axis) {
      surface.coordinates.push_back(distance + (axis == k ? 1e-3 : 0.0));
    }
    surface.corners.push_back(first + k);
  }
  surface.island_of.push_back(island);
  return surface;
}

Surface line(std::initializer_list<double> x) {
  std::vector<double> coordinates;
  for (const double place : x) {
    coordinates.insert(coordinates.end(), {place, 0.0});
  }
  return cloud(2, coordinates);
}

const std::vector<Pair> pairs{
    {"ties", grid(6, 0), grid(5, 0.5)},
    {"the same places", grid(4, 0), grid(4, 0)},
    {"one vertex each", line({0.3}), line({0.9})},
    {"one vertex of one side", line({0.3}), grid(4, 0)},
    {"fewer vertices than ranks", line({0.1, 0.7}), line({0.2, 0.3, 0.6})},
    {"both ends of a line", line({1e-9, 1.1e-9, 1.2e-9}), line({0.1, 0.7, 1.0 / 3})},
    {"as far as can be", line({0.03}), line({1.62, 1})},
    {"no spacing", line({1, 1.0 + 1e-12, 1.0 + 2e-12, 1.0 + 3e-12}), line({1, 3})},
    {"far outliers in 2D", with_outlier(islands(2, 6, 5, 1), 7), islands(2, 5, 4, 2)},
    {"far outliers in 3D", with_outlier(islands(3, 3, 3, 1), 5),
     with_outlier(islands(3, 2, 4, 2), -9)},
    {"hardly any overlap", line({0, 0.1, 0.2, 0.3, 0.4}), line({0.7, 0.71, 0.72, 0.8, 0.9})},
};

/// What was read at each vertex, in the order of the surface.
std::vector<double> read_of(const Table& table, const Flow& flow) {
  std::vector<double> values;
  for (const auto& [vertex, value] : table.at("read " + flow.data + "@" + flow.to_mesh())) {
    values.push_back(value.at(0));
  }
  return values;
}

/// Of equally near vertices a participant with one rank takes those that preCICE takes.
bool takes_nearest(const Flow& flow) {
  return flow.mapping.kind.rfind("nearest-neighbor", 0) == 0;
}

} // namespace

TEST_CASE("awkward meshes give the same bits however they are dealt") {
  for (const Pair& pair : pairs) {
    Fields fields = all_between(pair.a, pair.b);
    for (Flow& flow : fields.scenario.flows) {
      if (flow.mapping.kind ==
          "nearest-projection") { // of boxes equally near one rank takes others
        flow.mapping.options = R"(search="closest")";
      }
    }
    if (pair.name == "ties") {
      std::erase_if(fields.scenario.flows, takes_nearest);
    }
    const Outcome serial = exchange_fields(fields, couple::serial(2));
    const auto number = static_cast<std::size_t>(&pair - pairs.data());
    for (const auto& [deal, orders] : each_deal_and_order(number)) {
      CAPTURE(pair.name);
      CAPTURE(orders.first);
      CAPTURE(orders.second);
      fields.splits = {{"A", {orders.first}}, {"B", {orders.second}}};
      const Outcome outcome = exchange_fields(fields, deal);
      CHECK(outcome.all_errors() == "");
      CHECK(difference(starting(outcome.table, "read"), starting(serial.table, "read")) == "");
    }
  }
}

TEST_CASE("participants with several ranks take the same of equally near vertices, on any ranks" *
          on_ranks(4)) {
  Fields fields = all_between(grid(6, 0), grid(5, 0.5));
  std::erase_if(fields.scenario.flows, [](const Flow& flow) { return !takes_nearest(flow); });
  std::optional<Table> first;
  for (const Deal& deal : deals(2)) {
    for (const Split::Order order : {Split::block, Split::random}) {
      if (deal.empty() || std::find(deal.begin(), deal.end(), 1) != deal.end()) {
        continue; // a participant with one rank
      }
      fields.splits = {{"A", {Split::strips}}, {"B", {order}}};
      const Outcome outcome = exchange_fields(fields, deal);
      CHECK(outcome.all_errors() == "");
      const Table read = starting(outcome.table, "read");
      CHECK(difference(read, first.value_or(read)) == "");
      first = read;
    }
  }
  REQUIRE(first);
}

TEST_CASE("all ways to find partners lead to the same plan") {
  Fields fields = all_between(with_outlier(islands(3, 5, 3, 1), 3), islands(3, 4, 3, 2));
  for (const Deal& deal : deals(2)) {
    for (const Split::Order order : {Split::block, Split::random}) {
      fields.splits = {{"A", {Split::strips}}, {"B", {order}}};
      fields.scenario.connections.initialization = "rendezvous";
      const Outcome first = exchange_fields(fields, deal);
      for (const std::string other : {"two-level", "one-level"}) {
        CAPTURE(other);
        fields.scenario.connections.initialization = other;
        const Outcome outcome = exchange_fields(fields, deal);
        CHECK(outcome.all_errors() == "");
        CHECK(difference(outcome.table, first.table) == ""); // results and traffic
      }
    }
  }
}

TEST_CASE("use-two-level-initialization finds partners in two levels") {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                    {{.from = "A", .to = "B", .data = "T"}}};
  const auto play_part = [](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const std::string mesh = seat.participant + "-Mesh";
    for (int i = 0; i < 5; ++i) {
      const double x = seat.launch.rank + 0.2 * i;
      static_cast<void>(participant.set_mesh_vertex(mesh, std::vector<double>{x, 0}));
    }
    participant.initialize();
    const isthmus::Statistics all = participant.statistics();
    seat.put(seat.participant, seat.launch.rank,
             {static_cast<double>(all.messages_sent), static_cast<double>(all.bytes_sent)});
    participant.finalize();
  };
  const std::vector<Role> roles{{"A", play_part}, {"B", play_part}};
  for (const Deal& deal : deals(2)) {
    const auto traffic = [&](const std::string& initialization, const std::string& attributes) {
      scenario.connections.initialization = initialization;
      scenario.connections.attributes = attributes;
      return run(scenario.xml(), roles, deal);
    };
    const Table two_level = traffic("two-level", "");
    CHECK(difference(traffic("", "use-two-level-initialization=\"true\""), two_level) == "");
    const Table rendezvous = traffic("", "use-two-level-initialization=\"false\"");
    CHECK(difference(rendezvous, traffic("rendezvous", "")) == "");
    const bool is_seen = !deal.empty() && deal[1] > 1; // one rank receives from all
    CHECK((difference(rendezvous, two_level) != "") == is_seen);
  }
}

TEST_CASE("meshes far apart are mapped from the nearest place, with a warning that names both") {
  const WorkingDirectory here;
  Fields fields;
  fields.scenario.schemes = {{"A", "B", "parallel-explicit", 1, 0, 1}};
  fields.profile = waves;
  Surface of_a = line({0, 0.3, 0.1, 0.4, 0.2, 0.25});
  Surface of_b = line({101, 100, 102, 103});
  of_a.corners = {0, 2, 4, 5, 1, 3};
  of_b.corners = {1, 0, 2, 3};
  of_a.island_of = {0, 1, 2};
  of_b.island_of = {0, 1};
  add_all_mappings(fields, of_a, of_b);
  fields.scenario.log =
      "<log><sink type=\"file\" output=\"far.txt\" format=\"%Message%\" "
      "filter=\"%Severity% = warning\" /></log>";
  for (const Deal& deal : deals(2)) {
    const Outcome outcome = exchange_fields(fields, deal);
    REQUIRE(outcome.all_errors() == "");
    for (const Flow& flow : fields.scenario.flows) {
      CAPTURE(flow.data);
      const bool from_a = flow.from == "A";
      const Surface& from = from_a ? of_a : of_b;
      const std::size_t near_from = from_a ? 3 : 1;
      const std::size_t near_to = from_a ? 1 : 3;
      std::vector<double> written;
      for (std::size_t i = 0; i < std::size_t(from.num_vertices()); ++i) {
        written.push_back(waves(std::span(from.coordinates).subspan(2 * i, 2), 0));
      }
      const double sum = std::accumulate(written.begin(), written.end(), 0.0);
      const std::vector<double> read = read_of(outcome.table, flow);
      for (std::size_t i = 0; i < read.size(); ++i) {
        const double expected = flow.mapping.constraint == "consistent" ? written[near_from]
                                : i == near_to                          ? sum
                                                                        : 0.0;
        CHECK(read[i] == doctest::Approx(expected).epsilon(1e-14));
      }
    }
    if (here.is_root()) {
      std::ifstream file("far.txt");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      CHECK(text.find("mesh \"A-Mesh-2D-0\" of participant \"A\" and mesh \"B-Mesh-2D-0\" of "
                      "participant \"B\" do not overlap: they are 99.6 apart, their diagonals are "
                      "0.4 and 3") != std::string::npos);
      CHECK(text.find("check the units") != std::string::npos);
    }
  }
}
