// SPDX-License-Identifier: BSD-3-Clause
// A small coupled run through the drop-in, as a program written for it would do.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <precice/precice.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// A is first of a serial scheme and is read by projection; B gives initial data, vectors.
Scenario scenario() {
  Flow forth{"A", "B", "Pressure"};
  forth.mapping.kind = "nearest-projection";
  Flow back{"B", "A", "Velocity"};
  back.vector = true;
  back.initialize = true;
  back.mapping.direction = "write";
  return {{{"A", "B", "serial-explicit", 0.5, 1}}, {forth, back}};
}

double pressure(double t, double x) {
  return 2 * t + x;
}

double velocity(double t, double x, int component) {
  return t - x + 10 * component;
}

precice::Participant make(const Seat& seat) {
  return {seat.participant, seat.config, seat.launch.rank, seat.launch.size,
          const_cast<void*>(seat.launch.communicator)};
}

/// A rank's stretch of the line from 0 to 4; neighbours share a point.
std::vector<double> stretch(const isthmus::Launch& launch, int cells) {
  std::vector<double> x;
  for (int i = cells * launch.rank / launch.size; i <= cells * (launch.rank + 1) / launch.size;
       ++i) {
    x.push_back(4.0 * i / cells);
  }
  return x;
}

void play_a(const Seat& seat) {
  precice::Participant participant = make(seat);
  CHECK(participant.getMeshDimensions("A-Mesh") == 2);
  CHECK(participant.getDataDimensions("A-Mesh", "Velocity") == 2);
  CHECK(participant.getDataDimensions("A-Mesh", "Pressure") == 1);
  CHECK(participant.requiresMeshConnectivityFor("A-Mesh"));
  const std::vector<double> x = stretch(seat.launch, 8);
  std::vector<precice::VertexID> ids;
  for (const double place : x) {
    ids.push_back(participant.setMeshVertex("A-Mesh", std::vector{place, 0.0}));
  }
  for (std::size_t i = 1; i < ids.size(); ++i) {
    participant.setMeshEdge("A-Mesh", ids[i - 1], ids[i]);
  }
  CHECK(participant.getMeshVertexSize("A-Mesh") == static_cast<int>(x.size()));
  CHECK(!participant.requiresInitialData());
  participant.initialize();
  CHECK(participant.getMaxTimeStepSize() == 0.5);
  double t = 0;
  while (participant.isCouplingOngoing()) {
    CHECK(!participant.requiresWritingCheckpoint());
    std::vector<double> values(2 * ids.size());
    participant.readData("A-Mesh", "Velocity", ids, 0, values);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(values[2 * i] == velocity(t, x[i], 0));
      CHECK(values[2 * i + 1] == velocity(t, x[i], 1));
    }
    t += 0.5;
    std::vector<double> written;
    for (const double place : x) {
      written.push_back(pressure(t, place));
    }
    participant.writeData("A-Mesh", "Pressure", ids, written);
    participant.advance(0.5);
    CHECK(!participant.requiresReadingCheckpoint());
    CHECK(participant.isTimeWindowComplete());
  }
  CHECK(t == 1);
  participant.finalize();
}

void play_b(const Seat& seat) {
  precice::Participant participant = make(seat);
  const std::vector<double> x = stretch(seat.launch, 8);
  std::vector<double> positions;
  for (const double place : x) {
    positions.insert(positions.end(), {place, 0.0});
  }
  std::vector<precice::VertexID> ids(x.size());
  participant.setMeshVertices("B-Mesh", positions, ids);
  CHECK(!participant.requiresMeshConnectivityFor("B-Mesh"));
  CHECK(participant.requiresMeshConnectivityFor("A-Mesh")); // which it receives
  participant.setMeshEdge("B-Mesh", 0, 99);                 // nobody needs it: not looked at
  CHECK_THROWS_AS(participant.setMeshTetrahedron("B-Mesh", 0, 1, 2, 3), precice::Error);
  const auto write = [&](double t) {
    std::vector<double> values;
    for (const double place : x) {
      values.insert(values.end(), {velocity(t, place, 0), velocity(t, place, 1)});
    }
    participant.writeData("B-Mesh", "Velocity", ids, values);
  };
  REQUIRE(participant.requiresInitialData());
  write(0);
  participant.initialize();
  double t = 0;
  while (participant.isCouplingOngoing()) {
    const double dt = std::min(0.25, participant.getMaxTimeStepSize());
    std::vector<double> values(ids.size());
    participant.readData("B-Mesh", "Pressure", ids, dt, values);
    for (std::size_t i = 0; i < x.size(); ++i) {
      // the first window starts from zero
      const double expected = t == 0 ? 0.5 * pressure(0.5, x[i]) : pressure(t + dt, x[i]);
      if (t != 0.25) {
        CHECK(values[i] == doctest::Approx(expected).epsilon(1e-14));
      }
    }
    t += dt;
    write(t);
    participant.advance(dt);
  }
  CHECK(t == 1);
  participant.finalize();
}

} // namespace

TEST_CASE("a coupled run through the drop-in") {
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(scenario().xml(), {{"A", play_a}, {"B", play_b}}, deal));
  }
}

TEST_CASE("wrong calls are a precice::Error with advice") {
  const Role role{"A", [](const Seat& seat) {
                    precice::Participant participant = make(seat);
                    std::vector<precice::VertexID> ids(2);
                    participant.setMeshVertices("A-Mesh", std::vector{0.0, 0.0, 1.0}, ids);
                  }};
  for (const Deal& deal : deals(1)) {
    const std::string error = play(scenario().xml(), {role}, deal).errors["A"];
    for (const std::string word : {"setMeshVertices()", "\"A-Mesh\"", "2 ids", "4 coordinates"}) {
      CAPTURE(error);
      CHECK(error.find(word) != std::string::npos);
    }
  }
  CHECK_THROWS_AS(precice::Participant("A", "nowhere.xml", 0, 1), precice::Error);
}
