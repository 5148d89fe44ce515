// SPDX-License-Identifier: BSD-3-Clause
// Direct access to a received mesh and just-in-time mapping, on any ranks of both sides.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace couple;

namespace {

constexpr int num_vertices = 8; // of B, at x = 0, 1, 2, …
constexpr double half_overlap = 0.75;

/// A has no mesh of its own. `access`: the attribute that lets it use that of B.
std::string xml(const std::string& access = R"(api-access="true")") {
  Scenario scenario{{{.first = "B", .second = "A", .kind = "serial-explicit", .max_windows = 2}},
                    {{.from = "B", .to = "A", .data = "T", .mapping = {.kind = ""}},
                     {.from = "A",
                      .to = "B",
                      .data = "F",
                      .vector = true,
                      .mapping = {.kind = "", .direction = "write"}}}};
  for (Flow& flow : scenario.flows) {
    flow.meshes.access = access;
  }
  scenario.experimental = true;
  scenario.inside["A"] =
      R"(<mapping:nearest-neighbor direction="read" from="B-Mesh" constraint="consistent"/>)"
      R"(<mapping:nearest-neighbor direction="write" to="B-Mesh" constraint="conservative"/>)";
  return scenario.xml();
}

/// Each rank has access to its share of the line and a bit more.
std::pair<double, double> region(int rank, int size) {
  const double share = static_cast<double>(num_vertices - 1) / size;
  return {rank * share - half_overlap, (rank + 1) * share + half_overlap};
}

int ranks_with_access(double x, int size) {
  int count = 0;
  for (int rank = 0; rank < size; ++rank) {
    const auto [lo, hi] = region(rank, size);
    count += x >= lo && x <= hi ? 1 : 0;
  }
  return count;
}

void provide(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<double> positions;
  std::vector<int> vertices;
  for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
    positions.insert(positions.end(), {static_cast<double>(v), 0});
    vertices.push_back(v);
  }
  std::vector<isthmus::VertexId> ids(vertices.size());
  participant.set_mesh_vertices("B-Mesh", positions, ids);
  participant.initialize();
  std::vector<double> values(ids.size());
  std::vector<double> forces(2 * ids.size());
  for (double t = 1; participant.is_coupling_ongoing(); ++t) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values[i] = vertices[i] + 100 * t;
    }
    participant.write_data("B-Mesh", "T", ids, values);
    participant.advance(1);
    participant.read_data("B-Mesh", "F", ids, 0, forces);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    seat.put("force", vertices[i], {forces[2 * i], forces[2 * i + 1]});
  }
  participant.finalize();
}

/// A participant whose region is set and whose accessible vertices are known.
struct Accessor {
  isthmus::Participant participant;
  std::vector<isthmus::VertexId> ids;
  std::vector<double> positions;

  explicit Accessor(const Seat& seat) : participant(seat.make()) {
    const auto [lo, hi] = region(seat.launch.rank, seat.launch.size);
    participant.set_mesh_access_region("B-Mesh", std::vector<double>{lo, hi, -1, 1});
    participant.initialize();
    ids.resize(static_cast<std::size_t>(participant.mesh_vertex_size("B-Mesh")));
    positions.resize(2 * ids.size());
    participant.mesh_vertex_ids_and_coordinates("B-Mesh", ids, positions);
  }
};

/// The vertices of the region, all values of them, and what is written there adds up.
void use_directly(const Seat& seat) {
  Accessor accessor(seat);
  auto& [participant, ids, positions] = accessor;
  const auto [lo, hi] = region(seat.launch.rank, seat.launch.size);
  std::size_t expected = 0;
  for (int v = 0; v < num_vertices; ++v) {
    expected += v >= lo && v <= hi ? 1 : 0;
  }
  CHECK(ids.size() == expected);
  std::vector<double> values(ids.size());
  std::vector<double> forces(2 * ids.size());
  for (double t = 1; participant.is_coupling_ongoing(); ++t) {
    participant.read_data("B-Mesh", "T", ids, 1, values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      CHECK(values[i] == positions[2 * i] + 100 * t);
      forces[2 * i] = 1;
      forces[2 * i + 1] = values[i];
    }
    participant.write_data("B-Mesh", "F", ids, forces);
    participant.advance(1);
  }
  participant.finalize();
}

/// Points between vertices: the nearest one's value; forces of two points add up at one vertex.
void use_just_in_time(const Seat& seat) {
  Accessor accessor(seat);
  auto& [participant, ids, positions] = accessor;
  const double nearest = positions.empty() ? 0 : positions[0];
  const std::vector<double> points =
      positions.empty() ? std::vector<double>{}
                        : std::vector<double>{nearest + 0.2, 0.1, nearest + 0.3, -0.2};
  std::vector<double> values(points.size() / 2);
  for (double t = 1; participant.is_coupling_ongoing(); ++t) {
    participant.map_and_read_data("B-Mesh", "T", points, 1, values);
    for (const double value : values) {
      CHECK(value == nearest + 100 * t);
    }
    const std::vector<double> forces(points.size(), 1 + seat.launch.rank);
    participant.write_and_map_data("B-Mesh", "F", points, forces);
    participant.advance(1);
  }
  if (!positions.empty()) {
    seat.put("sent", static_cast<int>(nearest), {2.0 * (1 + seat.launch.rank)});
  }
  participant.finalize();
}

} // namespace

TEST_CASE("a solver works on the received vertices of its regions; what it writes adds up") {
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml(), {{"A", use_directly}, {"B", provide}}, deal);
    CHECK(table.at("force").size() == num_vertices);
    const int ranks = deal.empty() ? 1 : deal[0];
    for (const auto& [vertex, force] : table.at("force")) {
      const int count = ranks_with_access(vertex, ranks);
      CHECK(force[0] == count);
      CHECK(force[1] == doctest::Approx(count * (vertex + 200)));
    }
  }
}

TEST_CASE("the old name of the access to a received mesh means the same") {
  const std::string text = xml(R"(direct-access="true")");
  REQUIRE(text.find("api-access") == std::string::npos);
  REQUIRE(xml().find(R"(api-access="true")") != std::string::npos);
  for (const Deal& deal : deals(2)) {
    const std::vector<Role> roles{{"A", use_directly}, {"B", provide}};
    CHECK(difference(run(text, roles, deal), run(xml(), roles, deal)) == "");
  }
}

TEST_CASE("points are mapped when they are used, and nothing of them is lost") {
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml(), {{"A", use_just_in_time}, {"B", provide}}, deal);
    const double arrived = sums(table, "force")[0];
    CHECK(arrived == doctest::Approx(sums(table, "sent")[0]));
    for (const auto& [vertex, sent] : table.at("sent")) {
      const auto [begin, end] = table.at("force").equal_range(vertex);
      CHECK(std::any_of(begin, end, [&](const auto& force) { return force.second[0] >= sent[0]; }));
    }
  }
}

TEST_CASE("wrong use of a received mesh is named" * on_ranks(1, 1)) {
  const ShortTimeout timeout; // A may have come and gone before B looks for it
  const auto error_of = [](const std::function<void(isthmus::Participant&)>& misuse) {
    const auto wrong = [&misuse](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      misuse(participant);
    };
    return play(xml(), {{"A", wrong}, {"B", provide}}, in_threads).errors["A"];
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::vector<double> box{0, 1, 0, 1};
  CHECK(contains(error_of([](auto& p) { p.initialize(); }),
                 "access region of mesh \"B-Mesh\" is missing"));
  CHECK(contains(error_of([&](auto& p) {
                   p.set_mesh_access_region("B-Mesh", box);
                   p.set_mesh_access_region("B-Mesh", box);
                 }),
                 "set only once"));
  CHECK(contains(error_of([](auto& p) {
                   p.set_mesh_access_region("B-Mesh", std::vector<double>{0, 1});
                 }),
                 "needs 4 numbers"));
  CHECK(contains(error_of([](auto& p) {
                   p.set_mesh_access_region("B-Mesh", std::vector<double>{1, 0, 0, 1});
                 }),
                 "the minimum first"));
  CHECK(contains(error_of([&](auto& p) {
                   p.set_mesh_access_region("B-Mesh", box);
                   p.initialize();
                   std::vector<double> value(1);
                   p.map_and_read_data("B-Mesh", "T", std::vector<double>{5, 0}, 0, value);
                 }),
                 "outside of the access region"));
}

/// As preCICE, whose adapters ask so although they have no access.
TEST_CASE("the size of a received mesh without access is that of the part that this rank keeps") {
  constexpr int more_than_ranks = 20;
  const auto play_role = [](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const double x = seat.launch.rank;
    std::vector<double> positions{x, 0, x + 0.2, 0}; // nearest to the same vertex of B
    if (seat.participant == "B") {
      positions.clear();
      for (int v = seat.launch.rank; v < more_than_ranks; v += seat.launch.size) {
        positions.insert(positions.end(), {static_cast<double>(v), 0});
      }
    }
    std::vector<isthmus::VertexId> ids(positions.size() / 2);
    participant.set_mesh_vertices(seat.participant + "-Mesh", positions, ids);
    if (seat.participant == "A") {
      CHECK_THROWS_WITH(static_cast<void>(participant.mesh_vertex_size("B-Mesh")),
                        doctest::Contains("initialize()"));
    }
    participant.initialize();
    if (seat.participant == "A") {
      CHECK(participant.mesh_vertex_size("B-Mesh") ==
            (seat.launch.size == 1 ? more_than_ranks : 1));
      seat.put("asked", seat.launch.rank, {1});
    }
    while (participant.is_coupling_ongoing()) {
      participant.advance(1);
    }
    participant.finalize();
  };
  for (const std::string direction : {"read", "write"}) {
    CAPTURE(direction);
    const bool reads = direction == "read";
    const Scenario scenario{{{.first = "B", .second = "A", .max_windows = 1}},
                            {{.from = reads ? "B" : "A",
                              .to = reads ? "A" : "B",
                              .data = "T",
                              .mapping = {.direction = direction,
                                          .constraint = reads ? "consistent" : "conservative"}}}};
    const std::string text = scenario.xml();
    for (const Deal& deal : deals(2)) {
      CHECK_FALSE(run(text, {{"A", play_role}, {"B", play_role}}, deal).at("asked").empty());
    }
  }
}

/// preCICE 3.4.1 does the same.
TEST_CASE("read-data on a received mesh without access is accepted until it is read") {
  Scenario scenario{{{.first = "B", .second = "A", .kind = "serial-explicit", .max_windows = 2}},
                    {{.from = "B", .to = "A", .data = "T"}}};
  scenario.inside["A"] = R"(<read-data name="T" mesh="B-Mesh"/>)";
  const std::string plain = scenario.xml();
  for (const Deal& deal : deals(2)) {
    const auto play_role = [](const Seat& seat) {
      isthmus::Participant participant = seat.make();
      const bool reads = seat.participant == "A";
      std::vector<isthmus::VertexId> ids(1);
      const std::vector<double> position{static_cast<double>(seat.launch.rank), 0};
      participant.set_mesh_vertices(seat.participant + "-Mesh", position, ids);
      participant.initialize();
      for (double t = 0; participant.is_coupling_ongoing(); t += 1) {
        std::vector<double> value{7 + t};
        if (reads) {
          std::string error;
          try {
            participant.read_data("B-Mesh", "T", ids, 0, value);
          } catch (const std::exception& caught) {
            error = caught.what();
          }
          CHECK(error.find("\"B-Mesh\"") != std::string::npos);
          participant.read_data("A-Mesh", "T", ids, 1, value);
          seat.put("T", static_cast<int>(t), value);
        } else {
          participant.write_data("B-Mesh", "T", ids, value);
        }
        participant.advance(1);
      }
      participant.finalize();
    };
    const Table table = run(plain, {{"A", play_role}, {"B", play_role}}, deal);
    for (const auto& [window, values] : table.at("T")) {
      CHECK(values.at(0) == 7 + window);
    }
  }
}
