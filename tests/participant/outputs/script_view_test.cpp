// SPDX-License-Identifier: BSD-3-Clause
// What a script sees of a received mesh to which several mappings bring data, and what of it goes
// to the partner.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/scripts.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace couple;

namespace {

constexpr int num_reached = 4;  // of B, at x = 0, 1, 2, 3, where A has vertices
constexpr int num_vertices = 5; // the last one of B stands far away: nearest to nobody of A

double heat(int vertex, double time) {
  return 10 + vertex + 100 * time;
}

double force(int vertex, double time) {
  return 1 + vertex + 7 * time;
}

double back(int vertex, double time) {
  return 50 * vertex + time;
}

/// What A writes and where: on `own` meshes with so many vertices; 0: none, it accesses B-Mesh.
struct Case {
  std::string kind = "parallel-explicit";
  std::string kind_of_heat = "nearest-neighbor";
  std::string of_heat = "conservative";
  std::string of_force = "conservative";
  int num_heat = num_reached;
  int num_force = 2;
  bool sends_heat = true;
  std::string source = "Heat";
  std::string target = "Force";
  std::string of_a = ""; // more children of A
  std::string log = Scenario{}.log;
};

std::string xml(const Case& one) {
  Scenario scenario{
      {{.first = "A", .second = "B", .kind = one.kind, .max_windows = 2}},
      {{.from = "A",
        .to = "B",
        .data = "Heat",
        .mapping = {.kind = one.kind_of_heat, .direction = "write", .constraint = one.of_heat},
        .meshes = {.own = "A-Heat"},
        .way = one.sends_heat ? Way::whole : Way::to_action},
       {.from = "A",
        .to = "B",
        .data = "Force",
        .mapping = {.kind = one.num_force > 0 ? "nearest-neighbor" : "",
                    .direction = "write",
                    .constraint = one.of_force},
        .meshes = {.own = one.num_force > 0 ? "A-Force" : ""}},
       {.from = "B", .to = "A", .data = "Back", .meshes = {.own = "A-Heat"}}}};
  scenario.schemes[0].control =
      scenario.schemes[0].is_implicit() ? R"(<max-iterations value="3" />)" : "";
  const std::string source =
      one.source.empty() ? "" : fmt::format(R"(<source-data name="{}" />)", one.source);
  scenario.inside["A"] =
      action("write-mapping-post", "B-Mesh",
             fmt::format(R"(<module name="joining" />{}<target-data name="{}" />)", source,
                         one.target)) +
      one.of_a;
  scenario.log = one.log;
  return scenario.xml();
}

struct Held {
  std::string mesh;
  std::vector<int> numbers;
  std::vector<int> ids;
};

Held define(isthmus::Participant& participant, const std::string& mesh, const DealtLine& line) {
  Held held{mesh, line.numbers, std::vector<int>(line.numbers.size())};
  participant.set_mesh_vertices(mesh, line.places, held.ids);
  return held;
}

template <typename Value>
void write(isthmus::Participant& participant, const Held& held, const char* data, Value value) {
  std::vector<double> values;
  for (const int number : held.numbers) {
    values.push_back(value(number));
  }
  participant.write_data(held.mesh, data, held.ids, values);
}

void play_a(const Seat& seat, const Case& one) {
  isthmus::Participant participant = seat.make();
  const Held hot = define(participant, "A-Heat", dealt_line(seat.launch, one.num_heat));
  Held pushed;
  if (one.num_force > 0) {
    isthmus::Launch launch = seat.launch; // Heat is written by another rank at the same place
    launch.rank = (launch.rank + 1) % launch.size;
    pushed = define(participant, "A-Force", dealt_line(launch, one.num_force));
  } else {
    participant.set_mesh_access_region("B-Mesh", std::vector<double>{-0.5, 1.5, -1, 1});
  }
  participant.initialize();
  if (one.num_force == 0) { // the first two vertices, on one rank
    pushed.mesh = "B-Mesh";
    pushed.ids.resize(static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh")));
    std::vector<double> places(2 * pushed.ids.size());
    participant.mesh_vertex_ids_and_coordinates("B-Mesh", pushed.ids, places);
    for (std::size_t i = 0; i < pushed.ids.size(); ++i) {
      pushed.numbers.push_back(static_cast<int>(places[2 * i]));
    }
    if (seat.launch.rank != 0) {
      pushed.ids.clear();
      pushed.numbers.clear();
    }
  }
  double time = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? time : kept;
    write(participant, hot, "Heat", [time](int v) { return heat(v, time + 1); });
    write(participant, pushed, "Force", [time](int v) { return force(v, time + 1); });
    participant.advance(1);
    time = participant.requires_reading_checkpoint() ? kept : time + 1;
  }
  participant.finalize();
}

void play_b(const Seat& seat, const Case& one) {
  isthmus::Participant participant = seat.make();
  DealtLine line = dealt_line(seat.launch, num_vertices);
  for (std::size_t i = 0; i < line.numbers.size(); ++i) {
    line.places[2 * i + 1] = line.numbers[i] == num_reached ? 50 : 0;
  }
  const Held held = define(participant, "B-Mesh", line);
  participant.initialize();
  double time = 0;
  double kept = 0;
  while (participant.is_coupling_ongoing()) {
    kept = participant.requires_writing_checkpoint() ? time : kept;
    write(participant, held, "Back", [time](int v) { return back(v, time + 1); });
    participant.advance(1);
    time = participant.requires_reading_checkpoint() ? kept : time + 1;
    std::vector<double> values(held.ids.size());
    participant.read_data("B-Mesh", one.target, held.ids, 0, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      seat.put(fmt::format("at {}", time), held.numbers[i], {values[i]});
    }
  }
  participant.finalize();
}

/// What B reads of the target in the end, by vertex.
std::vector<double> play_case(const Case& one, const Deal& deal) {
  const Table table = run(xml(one),
                          {{"A", [&one](const Seat& seat) { play_a(seat, one); }},
                           {"B", [&one](const Seat& seat) { play_b(seat, one); }}},
                          deal);
  std::vector<double> values;
  for (int vertex = 0; vertex < num_vertices; ++vertex) {
    const auto [begin, end] = table.at("at 2").equal_range(vertex);
    REQUIRE(begin != end);
    values.push_back(std::prev(end)->second[0]);
  }
  return values;
}

/// A script that adds its source to its target; of serial participants it sees all vertices.
std::string joining(const Deal& deal) {
  const bool serial = deal.empty() || deal[0] == 1;
  return fmt::format(
      "def performAction(time, source, target):\n"
      "    assert len(source) == len(target)\n"
      "    assert not {} or len(target) == {}\n"
      "    target += source\n",
      serial ? "True" : "False", num_vertices);
}

const std::vector<std::string> kinds{"parallel-explicit", "serial-explicit", "parallel-implicit",
                                     "serial-implicit"};

} // namespace

TEST_CASE("a script joins data that two mappings bring to different vertices") {
  const Scripts scripts;
  for (const std::string& kind : kinds) {
    for (const std::string constraint : {"conservative", "consistent"}) {
      for (const bool sends_heat : {true, false}) {
        CAPTURE(kind);
        CAPTURE(constraint);
        for (const Deal& deal : deals(2)) {
          scripts.write({{"joining", joining(deal)}});
          const Case one{.kind = kind, .of_heat = constraint, .sends_heat = sends_heat};
          const std::vector<double> seen = play_case(one, deal);
          for (int v = 0; v < num_vertices; ++v) {
            const bool is_hot = constraint == "consistent" || v < num_reached;
            const double hot = is_hot ? heat(std::min(v, num_reached - 1), 2) : 0;
            CHECK(seen[static_cast<std::size_t>(v)] == (v < 2 ? force(v, 2) : 0) + hot);
          }
        }
      }
    }
  }
}

TEST_CASE("a script joins data on vertices of which its source reaches a few") {
  const Scripts scripts;
  for (const Deal& deal : deals(2)) {
    scripts.write({{"joining", joining(deal)}});
    const Case one{.of_heat = "consistent", .source = "Force", .target = "Heat"};
    const std::vector<double> seen = play_case(one, deal);
    for (int v = 0; v < num_vertices; ++v) {
      CHECK(seen[static_cast<std::size_t>(v)] ==
            heat(std::min(v, num_reached - 1), 2) + (v < 2 ? force(v, 2) : 0));
    }
  }
}

TEST_CASE("a script joins data by a product where one mapping is chosen by the meshes") {
  const Scripts scripts;
  scripts.write({{"joining", "def performAction(time, source, target):\n    target *= source\n"}});
  for (const std::string kind : {"nearest-neighbor", "auto"}) {
    for (const Deal& deal : deals(2)) {
      CAPTURE(kind);
      const std::vector<double> seen =
          play_case({.kind_of_heat = kind, .of_heat = "consistent"}, deal);
      for (int v = 0; v < num_vertices; ++v) {
        CHECK(seen[static_cast<std::size_t>(v)] == (v < 2 ? force(v, 2) * heat(v, 2) : 0));
      }
    }
  }
}

TEST_CASE("a script joins what is mapped and what the solver writes directly") {
  const Scripts scripts;
  for (const std::string source : {"Heat", "Force"}) {
    for (const Deal& deal : deals(2)) {
      CAPTURE(source);
      scripts.write({{"joining", joining(deal)}});
      const Case one{
          .num_force = 0, .source = source, .target = source == "Heat" ? "Force" : "Heat"};
      const std::vector<double> seen = play_case(one, deal);
      for (int v = 0; v < num_vertices; ++v) {
        CHECK(seen[static_cast<std::size_t>(v)] ==
              (v < num_reached ? heat(v, 2) : 0) + (v < 2 ? force(v, 2) : 0));
      }
    }
  }
}

TEST_CASE("a script joins what has come with what is mapped, where the latter goes") {
  const Scripts scripts;
  for (const Deal& deal : deals(2)) {
    scripts.write({{"joining", joining(deal)}});
    const std::vector<double> seen = play_case({.source = "Back"}, deal);
    for (int v = 0; v < num_vertices; ++v) { // what came at the end of the window before
      CHECK(seen[static_cast<std::size_t>(v)] == (v < 2 ? force(v, 2) + back(v, 1) : 0));
    }
  }
}

TEST_CASE("values that a script sets where no mapping brings data are not sent, with a word") {
  const Scripts scripts;
  scripts.write({{"joining", "def performAction(time, target):\n    target += 1\n"}});
  const Case one{.source = "",
                 .log = R"(<log><sink type="file" output="log.txt" filter="%Participant% = A" )"
                        R"(format="%Message%" /></log>)"};
  const Outcome outcome = play(xml(one),
                               {{"A", [&one](const Seat& seat) { play_a(seat, one); }},
                                {"B", [&one](const Seat& seat) { play_b(seat, one); }}},
                               serial(2));
  CHECK(outcome.all_errors() == "");
  for (const auto& [vertex, values] : outcome.table.at("at 2")) {
    CHECK(values[0] == (vertex < 2 ? force(vertex, 2) + 1 : 0));
  }
  if (scripts.here.is_root()) {
    std::ifstream file("log.txt");
    const std::string log{std::istreambuf_iterator<char>(file), {}};
    const std::string said =
        "data \"Force\" are not sent for 3 vertices where the script has set them";
    CHECK(log.find(said) != std::string::npos);
    CHECK(log.find(said) == log.rfind(said)); // once
  }
}
