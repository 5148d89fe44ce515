// SPDX-License-Identifier: BSD-3-Clause
// Functions of the interface that no other test here calls do what they say, against values by
// hand.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <precice/precice.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

using namespace couple;

namespace {

using precice::Participant;
using Ids = std::vector<int>;
using Values = std::vector<double>;

Participant make(const Seat& seat) {
  return {seat.participant, seat.config, seat.launch.rank, seat.launch.size,
          const_cast<void*>(seat.launch.communicator)};
}

/// A writes Heat, which B reads by a mapping onto its own mesh.
std::string mapped_by(const std::string& mapping, int dimensions) {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 2}},
                    {{.from = "A",
                      .to = "B",
                      .data = "Heat",
                      .mapping = {.kind = mapping},
                      .initialize = true,
                      .meshes = {.dimensions = dimensions}}}};
  scenario.experimental = true;
  return scenario.xml();
}

/// B, which has no mesh, reads Heat and writes Force on that of A.
std::string accessed(const std::string& just_in_time) {
  Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 2}},
      {{.from = "A", .to = "B", .data = "Heat", .mapping = {.kind = ""}, .initialize = true},
       {.from = "B", .to = "A", .data = "Force", .mapping = {.kind = "", .direction = "write"}}}};
  scenario.experimental = true;
  scenario.inside["B"] = just_in_time;
  return scenario.xml();
}

using Define = std::function<void(Participant&, const Ids&)>;

/// What B reads at `place` of A's mesh, with its vertices, their values and elements.
double read_at(const Values& place, const std::string& mapping, const Values& vertices,
               const Values& values, const Define& define) {
  const auto play_a = [&](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(values.size());
    a.setMeshVertices("A-Mesh", vertices, ids);
    CHECK(a.requiresMeshConnectivityFor("A-Mesh"));
    define(a, ids);
    CHECK(a.requiresInitialData());
    a.writeData("A-Mesh", "Heat", ids, values);
    a.initialize();
    while (a.isCouplingOngoing()) {
      a.advance(1);
    }
  };
  const auto play_b = [&](const Seat& seat) {
    Participant b = make(seat);
    const Ids ids{b.setMeshVertex("B-Mesh", place)};
    b.initialize();
    Values read(1);
    b.readData("B-Mesh", "Heat", ids, 0, read);
    seat.put("read", 0, read);
    while (b.isCouplingOngoing()) {
      b.advance(1);
    }
  };
  const Table reported = run(mapped_by(mapping, 3), {{"A", play_a}, {"B", play_b}}, in_threads);
  return reported.at("read").begin()->second[0];
}

} // namespace

TEST_CASE("single elements and lists of them make the same mesh") {
  struct Case {
    std::string mapping;
    Values place;
    Values vertices;
    Values values;
    Define single;
    Define list;
    double expected; // linear in the element
  };
  const std::string projection = "nearest-projection";
  const std::vector<Case> cases{
      {projection,
       {0.3, 0.2, 0},
       {0, 0, 0, 1, 0, 0},
       {0, 1},
       [](auto& p, const Ids& i) { p.setMeshEdge("A-Mesh", i[0], i[1]); },
       [](auto& p, const Ids& i) { p.setMeshEdges("A-Mesh", i); },
       0.3},
      {projection,
       {0.25, 0.25, 0.1},
       {0, 0, 0, 1, 0, 0, 0, 1, 0},
       {0, 1, 2},
       [](auto& p, const Ids& i) { p.setMeshTriangle("A-Mesh", i[0], i[1], i[2]); },
       [](auto& p, const Ids& i) { p.setMeshTriangles("A-Mesh", i); },
       0.75},
      {projection,
       {0.25, 0.5, 0.1},
       {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
       {0, 1, 3, 2},
       [](auto& p, const Ids& i) { p.setMeshQuad("A-Mesh", i[0], i[1], i[2], i[3]); },
       [](auto& p, const Ids& i) { p.setMeshQuads("A-Mesh", i); },
       1.25},
      {"linear-cell-interpolation",
       {0.2, 0.2, 0.2},
       {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
       {0, 1, 2, 4},
       [](auto& p, const Ids& i) { p.setMeshTetrahedron("A-Mesh", i[0], i[1], i[2], i[3]); },
       [](auto& p, const Ids& i) { p.setMeshTetrahedra("A-Mesh", i); },
       1.4}};
  for (const Case& one : cases) {
    const auto read = [&](const Define& define) {
      return read_at(one.place, one.mapping, one.vertices, one.values, define);
    };
    CHECK(read(one.single) == doctest::Approx(one.expected).epsilon(1e-12));
    CHECK(read(one.list) == doctest::Approx(one.expected).epsilon(1e-12));
    CHECK(read([](auto&, const Ids&) {}) == 0); // the nearest vertex
  }
}

namespace {

const Values line{0, 0, 1, 0, 2, 0};

} // namespace

TEST_CASE("access and just-in-time mapping reach the library") {
  const auto play_a = [](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(3);
    a.setMeshVertices("A-Mesh", line, ids);
    CHECK(a.requiresInitialData());
    a.writeData("A-Mesh", "Heat", ids, {10.0, 11.0, 12.0});
    a.initialize();
    Values read(3);
    a.advance(1);
    a.readData("A-Mesh", "Force", ids, 0, read);
    CHECK(read == Values{0, 0, 5});
    a.advance(1);
    a.readData("A-Mesh", "Force", ids, 0, read);
    CHECK(read == Values{3, 0, 0});
  };
  const auto play_b = [](const Seat& seat) {
    Participant b = make(seat);
    b.setMeshAccessRegion("A-Mesh", std::vector<double>{-1, 3, -1, 1});
    b.initialize();
    REQUIRE(b.getMeshVertexSize("A-Mesh") == 3);
    Ids ids(3);
    Values coordinates(6);
    b.getMeshVertexIDsAndCoordinates("A-Mesh", ids, coordinates);
    CHECK(coordinates == line);
    Values read(3);
    b.readData("A-Mesh", "Heat", ids, 0, read);
    CHECK(read == Values{10, 11, 12});
    Values at(2);
    b.mapAndReadData("A-Mesh", "Heat", std::vector<double>{1.9, 0.2, 0.1, 0}, 0, at);
    CHECK(at == Values{12, 10});
    b.writeAndMapData("A-Mesh", "Force", std::vector<double>{1.8, 0}, {5.0});
    b.advance(1);
    b.writeData("A-Mesh", "Force", {ids.data(), 1}, {3.0});
    b.advance(1);
  };
  const std::string just_in_time =
      R"(<mapping:nearest-neighbor direction="read" from="A-Mesh" constraint="consistent" />)"
      R"(<mapping:nearest-neighbor direction="write" to="A-Mesh" constraint="conservative" />)";
  static_cast<void>(run(accessed(just_in_time), {{"A", play_a}, {"B", play_b}}, in_threads));
}

TEST_CASE("gradients reach the library") {
  const auto play_gradients = [](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(3);
    a.setMeshVertices("A-Mesh", line, ids);
    CHECK(a.requiresGradientDataFor("A-Mesh", "Heat"));
    CHECK(a.requiresInitialData());
    a.writeData("A-Mesh", "Heat", ids, {10.0, 11.0, 12.0});
    a.writeGradientData("A-Mesh", "Heat", ids, {1.0, 4.0, 1.0, 4.0, 1.0, 4.0});
    a.initialize();
    a.advance(1);
    a.advance(1);
  };
  const auto play_reader = [](const Seat& seat) {
    Participant b = make(seat);
    const Ids ids{b.setMeshVertex("B-Mesh", std::vector<double>{1.25, 0.5})};
    b.initialize();
    Values read(1);
    b.readData("B-Mesh", "Heat", ids, 0, read);
    CHECK(read[0] == doctest::Approx(11 + 0.25 + 4 * 0.5).epsilon(1e-12));
    b.advance(1);
    b.advance(1);
  };
  static_cast<void>(run(mapped_by("nearest-neighbor-gradient", 2),
                        {{"A", play_gradients}, {"B", play_reader}}, in_threads));
}

TEST_CASE("a missing just-in-time mapping has the words that programs look for") {
  const auto play_a = [](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(1);
    a.setMeshVertices("A-Mesh", {0.0, 0.0}, ids);
    CHECK(a.requiresInitialData());
    a.initialize();
    a.advance(1);
    a.advance(1);
  };
  const auto play_b = [](const Seat& seat) {
    Participant b = make(seat);
    b.setMeshAccessRegion("A-Mesh", {-1.0, 1.0, -1.0, 1.0});
    b.initialize();
    Values values(1);
    const auto text = [](const auto& call) {
      try {
        call();
      } catch (const precice::Error& error) {
        return std::string(error.what());
      }
      return std::string("no error");
    };
    const std::string reading = text([&] {
      b.mapAndReadData("A-Mesh", "Heat", {0.0, 0.0}, 0, values);
    });
    const std::string writing = text([&] {
      b.writeAndMapData("A-Mesh", "Force", {0.0, 0.0}, {1.0});
    });
    CAPTURE(reading);
    CHECK(reading.find("no matching just-in-time mapping from mesh \"A-Mesh\"") !=
          std::string::npos);
    CAPTURE(writing);
    CHECK(writing.find("no matching just-in-time mapping to mesh \"A-Mesh\"") != std::string::npos);
    b.advance(1);
    b.advance(1);
  };
  static_cast<void>(run(accessed(""), {{"A", play_a}, {"B", play_b}}, in_threads));
}
