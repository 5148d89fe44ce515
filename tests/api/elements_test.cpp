// SPDX-License-Identifier: BSD-3-Clause
// Functions of the interface that no other test here calls do what they say, against values by
// hand.
#include "participant/couple.hpp"

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

std::string xml(const std::string& of_a, const std::string& of_b, const std::string& exchanges,
                int dimensions) {
  return fmt::format(R"(<precice-configuration experimental="true"><log enabled="false" />
  <data:scalar name="Heat" /><data:scalar name="Force" />
  <mesh name="MA" dimensions="{3}"><use-data name="Heat" /><use-data name="Force" /></mesh>
  <mesh name="MB" dimensions="{3}"><use-data name="Heat" /></mesh>
  <participant name="A"><provide-mesh name="MA" /><write-data name="Heat" mesh="MA" />{0}
  </participant>
  <participant name="B"><receive-mesh name="MA" from="A" {1}</participant>
  <m2n:sockets acceptor="A" connector="B" exchange-directory="{{directory}}" />
  <coupling-scheme:parallel-explicit>
    <participants first="A" second="B" /><max-time-windows value="2" />
    <time-window-size value="1" />{2}</coupling-scheme:parallel-explicit>
</precice-configuration>)",
                     of_a, of_b, exchanges, dimensions);
}

const std::string heat = R"(<exchange data="Heat" mesh="MA" from="A" to="B" initialize="true" />)";
const std::string force = R"(<exchange data="Force" mesh="MA" from="B" to="A" />)";

std::string mapped_by(const std::string& mapping) {
  return fmt::format(R"(/><provide-mesh name="MB" /><read-data name="Heat" mesh="MB" />
    <mapping:{} direction="read" from="MA" to="MB" constraint="consistent" />)",
                     mapping);
}

using Define = std::function<void(Participant&, const Ids&)>;

/// What B reads at `place` of A's mesh, with its vertices, their values and elements.
double read_at(const Values& place, const std::string& mapping, const Values& vertices,
               const Values& values, const Define& define) {
  const auto play_a = [&](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(values.size());
    a.setMeshVertices("MA", vertices, ids);
    CHECK(a.requiresMeshConnectivityFor("MA"));
    define(a, ids);
    CHECK(a.requiresInitialData());
    a.writeData("MA", "Heat", ids, values);
    a.initialize();
    while (a.isCouplingOngoing()) {
      a.advance(1);
    }
  };
  const auto play_b = [&](const Seat& seat) {
    Participant b = make(seat);
    const Ids ids{b.setMeshVertex("MB", place)};
    b.initialize();
    Values read(1);
    b.readData("MB", "Heat", ids, 0, read);
    seat.put("read", 0, read);
    while (b.isCouplingOngoing()) {
      b.advance(1);
    }
  };
  const Table told =
      run(xml("", mapped_by(mapping), heat, 3), {{"A", play_a}, {"B", play_b}}, in_threads);
  return told.at("read").begin()->second[0];
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
       [](auto& p, const Ids& i) { p.setMeshEdge("MA", i[0], i[1]); },
       [](auto& p, const Ids& i) { p.setMeshEdges("MA", i); },
       0.3},
      {projection,
       {0.25, 0.25, 0.1},
       {0, 0, 0, 1, 0, 0, 0, 1, 0},
       {0, 1, 2},
       [](auto& p, const Ids& i) { p.setMeshTriangle("MA", i[0], i[1], i[2]); },
       [](auto& p, const Ids& i) { p.setMeshTriangles("MA", i); },
       0.75},
      {projection,
       {0.25, 0.5, 0.1},
       {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
       {0, 1, 3, 2},
       [](auto& p, const Ids& i) { p.setMeshQuad("MA", i[0], i[1], i[2], i[3]); },
       [](auto& p, const Ids& i) { p.setMeshQuads("MA", i); },
       1.25},
      {"linear-cell-interpolation",
       {0.2, 0.2, 0.2},
       {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
       {0, 1, 2, 4},
       [](auto& p, const Ids& i) { p.setMeshTetrahedron("MA", i[0], i[1], i[2], i[3]); },
       [](auto& p, const Ids& i) { p.setMeshTetrahedra("MA", i); },
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

TEST_CASE("access, just-in-time mapping and gradients reach the library") {
  const Values line{0, 0, 1, 0, 2, 0};
  const auto play_a = [&](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(3);
    a.setMeshVertices("MA", line, ids);
    CHECK(a.requiresInitialData());
    a.writeData("MA", "Heat", ids, {10.0, 11.0, 12.0});
    a.initialize();
    Values read(3);
    a.advance(1);
    a.readData("MA", "Force", ids, 0, read);
    CHECK(read == Values{0, 0, 5});
    a.advance(1);
    a.readData("MA", "Force", ids, 0, read);
    CHECK(read == Values{3, 0, 0});
  };
  const auto play_b = [&](const Seat& seat) {
    Participant b = make(seat);
    b.setMeshAccessRegion("MA", std::vector<double>{-1, 3, -1, 1});
    b.initialize();
    REQUIRE(b.getMeshVertexSize("MA") == 3);
    Ids ids(3);
    Values coordinates(6);
    b.getMeshVertexIDsAndCoordinates("MA", ids, coordinates);
    CHECK(coordinates == line);
    Values read(3);
    b.readData("MA", "Heat", ids, 0, read);
    CHECK(read == Values{10, 11, 12});
    Values at(2);
    b.mapAndReadData("MA", "Heat", std::vector<double>{1.9, 0.2, 0.1, 0}, 0, at);
    CHECK(at == Values{12, 10});
    b.writeAndMapData("MA", "Force", std::vector<double>{1.8, 0}, {5.0});
    b.advance(1);
    b.writeData("MA", "Force", {ids.data(), 1}, {3.0});
    b.advance(1);
  };
  const std::string access = R"(api-access="true" />
    <read-data name="Heat" mesh="MA" /><write-data name="Force" mesh="MA" />
    <mapping:nearest-neighbor direction="read" from="MA" constraint="consistent" />
    <mapping:nearest-neighbor direction="write" to="MA" constraint="conservative" />)";
  static_cast<void>(run(xml(R"(<read-data name="Force" mesh="MA" />)", access, heat + force, 2),
                        {{"A", play_a}, {"B", play_b}}, in_threads));

  const auto play_gradients = [&](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(3);
    a.setMeshVertices("MA", line, ids);
    CHECK(a.requiresGradientDataFor("MA", "Heat"));
    CHECK(a.requiresInitialData());
    a.writeData("MA", "Heat", ids, {10.0, 11.0, 12.0});
    a.writeGradientData("MA", "Heat", ids, {1.0, 4.0, 1.0, 4.0, 1.0, 4.0});
    a.initialize();
    a.advance(1);
    a.advance(1);
  };
  const auto play_reader = [&](const Seat& seat) {
    Participant b = make(seat);
    const Ids ids{b.setMeshVertex("MB", std::vector<double>{1.25, 0.5})};
    b.initialize();
    Values read(1);
    b.readData("MB", "Heat", ids, 0, read);
    CHECK(read[0] == doctest::Approx(11 + 0.25 + 4 * 0.5).epsilon(1e-12));
    b.advance(1);
    b.advance(1);
  };
  static_cast<void>(run(xml("", mapped_by("nearest-neighbor-gradient"), heat, 2),
                        {{"A", play_gradients}, {"B", play_reader}}, in_threads));
}

TEST_CASE("a missing just-in-time mapping has the words that programs look for") {
  const auto play_a = [](const Seat& seat) {
    Participant a = make(seat);
    Ids ids(1);
    a.setMeshVertices("MA", {0.0, 0.0}, ids);
    CHECK(a.requiresInitialData());
    a.initialize();
    a.advance(1);
    a.advance(1);
  };
  const auto play_b = [](const Seat& seat) {
    Participant b = make(seat);
    b.setMeshAccessRegion("MA", {-1.0, 1.0, -1.0, 1.0});
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
      b.mapAndReadData("MA", "Heat", {0.0, 0.0}, 0, values);
    });
    const std::string writing = text([&] { b.writeAndMapData("MA", "Force", {0.0, 0.0}, {1.0}); });
    CAPTURE(reading);
    CHECK(reading.find("no matching just-in-time mapping from mesh \"MA\"") != std::string::npos);
    CAPTURE(writing);
    CHECK(writing.find("no matching just-in-time mapping to mesh \"MA\"") != std::string::npos);
    b.advance(1);
    b.advance(1);
  };
  const std::string access = R"(api-access="true" />
    <read-data name="Heat" mesh="MA" /><write-data name="Force" mesh="MA" />)";
  static_cast<void>(run(xml(R"(<read-data name="Force" mesh="MA" />)", access, heat + force, 2),
                        {{"A", play_a}, {"B", play_b}}, in_threads));
}
