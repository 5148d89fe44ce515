// SPDX-License-Identifier: BSD-3-Clause
// Every function of the interface with bad input, in every state of a participant: what leaves the
// library is a precice::Error or nothing.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <precice/Tooling.hpp>
#include <precice/precice.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace couple;

namespace {

using precice::Participant;

Scenario scenario() {
  Flow forth{"A", "B", "Pressure"};
  forth.mapping.kind = "nearest-projection";
  return {{{"A", "B", "serial-explicit", 0.5, 1}}, {forth, {"B", "A", "Velocity"}}};
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Bad names, ids and values; each function is called with all of them.
struct Bad {
  precice::string_view mesh;
  precice::string_view data;
  precice::span<const int> ids;
  precice::span<const double> values;
  double time;
};

struct Function {
  const char* name;
  std::function<void(Participant&, const Bad&)> call;
};

std::vector<int> ids_out(3);
std::vector<double> values_out(4);

precice::span<int> out_ids(std::size_t size) {
  return {ids_out.data(), size};
}
precice::span<double> out(std::size_t size) {
  return {values_out.data(), size};
}

int id_of(const Bad& bad) {
  return bad.ids.empty() || bad.ids.data() == nullptr ? -1 : bad.ids[0];
}

std::vector<Function> mesh_functions() {
  return {
      {"getMeshDimensions", [](auto& p, auto& b) { p.getMeshDimensions(b.mesh); }},
      {"getDataDimensions", [](auto& p, auto& b) { p.getDataDimensions(b.mesh, b.data); }},
      {"requiresMeshConnectivityFor",
       [](auto& p, auto& b) { p.requiresMeshConnectivityFor(b.mesh); }},
      {"resetMesh", [](auto& p, auto& b) { p.resetMesh(b.mesh); }},
      {"setMeshVertex", [](auto& p, auto& b) { p.setMeshVertex(b.mesh, b.values); }},
      {"getMeshVertexSize", [](auto& p, auto& b) { p.getMeshVertexSize(b.mesh); }},
      {"setMeshVertices",
       [](auto& p, auto& b) { p.setMeshVertices(b.mesh, b.values, out_ids(3)); }},
      {"setMeshEdge", [](auto& p, auto& b) { p.setMeshEdge(b.mesh, id_of(b), id_of(b)); }},
      {"setMeshEdges", [](auto& p, auto& b) { p.setMeshEdges(b.mesh, b.ids); }},
      {"setMeshTriangle", [](auto& p, auto& b) { p.setMeshTriangle(b.mesh, id_of(b), 0, 1); }},
      {"setMeshTriangles", [](auto& p, auto& b) { p.setMeshTriangles(b.mesh, b.ids); }},
      {"setMeshQuad", [](auto& p, auto& b) { p.setMeshQuad(b.mesh, id_of(b), 0, 1, 2); }},
      {"setMeshQuads", [](auto& p, auto& b) { p.setMeshQuads(b.mesh, b.ids); }},
      {"setMeshTetrahedron",
       [](auto& p, auto& b) { p.setMeshTetrahedron(b.mesh, id_of(b), 0, 1, 2); }},
      {"setMeshTetrahedra", [](auto& p, auto& b) { p.setMeshTetrahedra(b.mesh, b.ids); }},
      {"setMeshAccessRegion", [](auto& p, auto& b) { p.setMeshAccessRegion(b.mesh, b.values); }},
      {"getMeshVertexIDsAndCoordinates",
       [](auto& p, auto& b) { p.getMeshVertexIDsAndCoordinates(b.mesh, out_ids(3), out(1)); }}};
}

std::vector<Function> data_functions() {
  return {{"writeData", [](auto& p, auto& b) { p.writeData(b.mesh, b.data, b.ids, b.values); }},
          {"readData", [](auto& p, auto& b) { p.readData(b.mesh, b.data, b.ids, b.time, out(4)); }},
          {"writeAndMapData",
           [](auto& p, auto& b) { p.writeAndMapData(b.mesh, b.data, b.values, b.values); }},
          {"mapAndReadData",
           [](auto& p, auto& b) { p.mapAndReadData(b.mesh, b.data, b.values, b.time, out(3)); }},
          {"requiresGradientDataFor",
           [](auto& p, auto& b) { p.requiresGradientDataFor(b.mesh, b.data); }},
          {"writeGradientData",
           [](auto& p, auto& b) { p.writeGradientData(b.mesh, b.data, b.ids, b.values); }},
          {"startProfilingSection", [](auto& p, auto& b) { p.startProfilingSection(b.mesh); }},
          {"stopLastProfilingSection", [](auto& p, auto&) { p.stopLastProfilingSection(); }},
          {"checkConfiguration",
           [](auto&, auto& b) { precice::tooling::checkConfiguration(b.mesh, b.data, id_of(b)); }},
          {"printConfigReference",
           [](auto&, auto&) {
             std::ostringstream text;
             precice::tooling::printConfigReference(
                 text, static_cast<precice::tooling::ConfigReferenceType>(99));
           }},
          {"getVersionInformation", [](auto&, auto&) { precice::getVersionInformation(); }},
          {"Participant", [](auto&, auto& b) { Participant(b.mesh, b.data, id_of(b), id_of(b)); }},
          {"Participant with communicator",
           [](auto&, auto& b) { Participant(b.mesh, b.data, 0, 1, nullptr); }}};
}

/// Those that are due in one state only, and are told of with words in the others.
std::vector<Function> steering_functions() {
  return {{"isCouplingOngoing", [](auto& p, auto&) { p.isCouplingOngoing(); }},
          {"isTimeWindowComplete", [](auto& p, auto&) { p.isTimeWindowComplete(); }},
          {"getMaxTimeStepSize", [](auto& p, auto&) { p.getMaxTimeStepSize(); }},
          {"requiresWritingCheckpoint", [](auto& p, auto&) { p.requiresWritingCheckpoint(); }},
          {"requiresReadingCheckpoint", [](auto& p, auto&) { p.requiresReadingCheckpoint(); }},
          {"requiresInitialData", [](auto& p, auto&) { p.requiresInitialData(); }},
          {"advance", [](auto& p, auto& b) { p.advance(b.time); }}};
}

const std::vector<int> strange_ids{-7, std::numeric_limits<int>::max(), 0};
const std::vector<double> strange_values{not_a_number, infinity, -1};

std::vector<Bad> bad_inputs() {
  const precice::span<const int> no_ids(static_cast<const int*>(nullptr), 3);
  const precice::span<const double> no_values(static_cast<const double*>(nullptr), 3);
  const precice::string_view no_name(static_cast<const char*>(nullptr), 5);
  return {{"Nowhere", "Nothing", strange_ids, strange_values, -1},
          {"A-Mesh", "Nothing", strange_ids, strange_values, not_a_number},
          {"A-Mesh", "Pressure", strange_ids, strange_values, infinity},
          {"A-Mesh", "Velocity", no_ids, no_values, 1e300},
          {"B-Mesh", "Pressure", no_ids, strange_values, -infinity},
          {"", "", {}, {}, 0},
          {static_cast<const char*>(nullptr), no_name, no_ids, no_values, -1},
          {"a/b", "../../../../etc", strange_ids, {}, 1e-300}};
}

/// What left the function: "" nothing, the text of an Error.
std::string outcome(const Function& function, Participant& participant, const Bad& bad) {
  try {
    function.call(participant, bad);
    return "";
  } catch (const precice::Error& error) {
    CHECK_MESSAGE(std::string(error.what()).size() > 10, function.name);
    return error.what();
  } catch (const std::exception& error) {
    FAIL_CHECK(function.name << " lets out a foreign exception: " << error.what());
  } catch (...) {
    FAIL_CHECK(function.name << " lets out something without a text");
  }
  return "";
}

void walk(Participant& participant, const std::vector<Function>& functions) {
  for (const Bad& bad : bad_inputs()) {
    for (const Function& function : functions) {
      const std::string text = outcome(function, participant, bad);
      CHECK_MESSAGE(text.find("unexpected failure") == std::string::npos,
                    function.name << ": " << text); // nobody foresaw it
    }
  }
}

void walk_all(Participant& participant) {
  walk(participant, mesh_functions());
  walk(participant, data_functions());
}

Participant make(const Seat& seat) {
  return {seat.participant, seat.config, seat.launch.rank, seat.launch.size,
          const_cast<void*>(seat.launch.communicator)};
}

void define(Participant& participant, const std::string& mesh, int rank) {
  std::vector<int> ids(2);
  participant.setMeshVertices(mesh, std::vector<double>{1.0 * rank, 0, 1.0 * rank + 1, 0}, ids);
}

void finish(Participant& participant) {
  while (participant.isCouplingOngoing()) {
    participant.requiresWritingCheckpoint();
    participant.advance(participant.getMaxTimeStepSize());
    participant.requiresReadingCheckpoint();
  }
}

void play_b(const Seat& seat) {
  Participant participant = make(seat);
  define(participant, "B-Mesh", seat.launch.rank);
  participant.initialize();
  finish(participant);
  participant.finalize();
}

} // namespace

TEST_CASE("no function lets out anything but precice::Error, in no state") {
  const Role a{"A", [](const Seat& seat) {
                 Participant participant = make(seat);
                 walk_all(participant);
                 define(participant, "A-Mesh", seat.launch.rank);
                 walk_all(participant);
                 while (true) { // sections that were opened
                   try {
                     participant.stopLastProfilingSection();
                   } catch (const precice::Error&) {
                     break;
                   }
                 }
                 participant.initialize();
                 CHECK_THROWS_AS(participant.initialize(), precice::Error);
                 walk(participant, mesh_functions());
                 finish(participant);
                 walk(participant, mesh_functions());
                 walk(participant, steering_functions());
                 participant.finalize();
                 walk_all(participant);
                 walk(participant, steering_functions());
                 CHECK_THROWS_AS(participant.finalize(), precice::Error);
                 CHECK_THROWS_AS(participant.initialize(), precice::Error);
               }};
  for (const Deal& deal : deals(2)) {
    static_cast<void>(run(scenario().xml(), {a, {"B", play_b}}, deal));
  }
}

TEST_CASE("steering before initialize() is a precice::Error") {
  const Role a{"A", [](const Seat& seat) {
                 Participant participant = make(seat);
                 for (const Function& function : steering_functions()) {
                   const bool allowed = std::string(function.name) == "requiresInitialData";
                   const std::string text = outcome(function, participant, bad_inputs()[0]);
                   CHECK_MESSAGE(text.empty() == allowed, function.name << ": " << text);
                 }
               }};
  for (const Deal& deal : deals(1)) {
    static_cast<void>(play(scenario().xml(), {a}, deal));
  }
}

TEST_CASE("errors name the functions as this interface does") {
  std::vector<Function> functions = mesh_functions();
  for (const std::vector<Function>& more : {data_functions(), steering_functions()}) {
    functions.insert(functions.end(), more.begin(), more.end());
  }
  const std::map<std::string, std::string> others{// one element is an array of one
                                                  {"setMeshEdge", "setMeshEdges"},
                                                  {"setMeshTriangle", "setMeshTriangles"},
                                                  {"setMeshQuad", "setMeshQuads"},
                                                  {"setMeshTetrahedron", "setMeshTetrahedra"}};
  const std::set<std::string> of_other_things{
      "startProfilingSection", "checkConfiguration", "printConfigReference",
      "getVersionInformation", "Participant",        "Participant with communicator",
      "requiresInitialData"};
  const Role a{
      "A", [&](const Seat& seat) {
        Participant participant = make(seat);
        for (const Function& function : functions) {
          const auto other = others.find(function.name);
          const std::string name = (other == others.end() ? function.name : other->second) + "()";
          if (of_other_things.count(function.name) == 0) {
            const std::string text = outcome(function, participant, bad_inputs()[0]);
            CHECK_MESSAGE(text.rfind(name, 0) == 0, name << ": " << text);
          }
        }
        const std::string text = outcome({"initialize", [](auto& p, auto&) { p.initialize(); }},
                                         participant, bad_inputs()[0]);
        CHECK_MESSAGE(text.find("ask requiresInitialData() and") != std::string::npos, text);
      }};
  Scenario initial = scenario();
  initial.schemes[0].kind = "parallel-explicit";
  initial.flows[0].initialize = true;
  for (const Deal& deal : deals(1)) {
    static_cast<void>(play(initial.xml(), {a}, deal));
  }
}

TEST_CASE("unknown names are told with those that are known and the one that is meant") {
  const Role a{"A", [](const Seat& seat) {
                 Participant participant = make(seat);
                 const auto text = [&](const Function& function, const Bad& bad) {
                   return outcome(function, participant, bad);
                 };
                 for (const Function& function : mesh_functions()) {
                   const std::string mesh = text(function, {"A-Mehs", "Pressure", {}, {}, 0});
                   CAPTURE(function.name);
                   CAPTURE(mesh);
                   for (const char* word :
                        {"\"A-Mehs\"", "\"A-Mesh\", \"B-Mesh\"", "did you mean \"A-Mesh\"?"}) {
                     CHECK((mesh.find(word) != std::string::npos ||
                            std::string(function.name) == "resetMesh"));
                   }
                 }
                 for (const char* name : {"getDataDimensions", "writeData",
                                          "requiresGradientDataFor", "writeGradientData"}) {
                   std::vector<Function> all = data_functions();
                   const std::vector<Function> more = mesh_functions();
                   all.insert(all.end(), more.begin(), more.end());
                   for (const Function& function : all) {
                     if (std::string(function.name) == name) {
                       const std::string data = text(function, {"A-Mesh", "Presure", {}, {}, 0});
                       CAPTURE(data);
                       CHECK(data.find("\"Pressure\"") != std::string::npos);
                       CHECK(data.find("did you mean \"Pressure\"?") != std::string::npos);
                     }
                   }
                 }
               }};
  for (const Deal& deal : deals(1)) {
    static_cast<void>(play(scenario().xml(), {a}, deal));
  }
  const Role unknown{"A", [](const Seat& seat) {
                       try {
                         const Participant p("a", seat.config, seat.launch.rank, seat.launch.size,
                                             const_cast<void*>(seat.launch.communicator));
                         FAIL("accepted");
                       } catch (const precice::Error& error) {
                         const std::string text = error.what();
                         CAPTURE(text);
                         CHECK(text.find("did you mean \"A\"? Known: A, B") != std::string::npos);
                       }
                     }};
  static_cast<void>(play(scenario().xml(), {unknown}, in_threads));
}
