// SPDX-License-Identifier: BSD-3-Clause
// What the calls of a participant say when they are used in a wrong way.
#include "participant/setup/calls.hpp"
#include "isthmus/base/exception.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <limits>

using namespace couple;
using isthmus::VertexId;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// "" if the call threw no Error.
std::string error_of(const SolverCall& call, Solver& solver) {
  return isthmus::error_of([&] { call(solver); });
}

/// Wrong calls, one after the other, of participant A on all its ranks; after each of them A goes
/// on as if nothing had happened, up to the end.
void check_while(const SolverCall& before, const std::vector<Wrong>& calls,
                 const SolverCall& after) {
  const Role b{"B", [](const Seat& seat) {
                 Solver solver(seat);
                 solver.start();
                 solver.finish();
               }};
  for (const Deal& deal : deals(2)) {
    std::vector<std::string> errors(calls.size());
    const Role a{"A", [&](const Seat& seat) {
                   Solver solver(seat);
                   before(solver);
                   for (std::size_t i = 0; i < calls.size(); ++i) {
                     seat.put(calls[i].name, seat.launch.rank, {});
                     const std::string error = error_of(calls[i].call, solver);
                     if (seat.launch.rank == 0) {
                       errors[i] = error;
                     }
                   }
                   after(solver);
                 }};
    static_cast<void>(run(scenario().xml(), {a, b}, deal));
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (std::size_t i = 0; rank == 0 && i < calls.size(); ++i) {
      CAPTURE(calls[i].name);
      check_words(errors[i], calls[i].words);
    }
  }
}

void start(Solver& s) {
  s.start();
}
void finish(Solver& s) {
  s.finish();
}

} // namespace

namespace {

void initialize_and_finish(Solver& s) {
  static_cast<void>(s.participant.requires_initial_data());
  s.participant.initialize();
  s.finish();
}

} // namespace

TEST_CASE("wrong vertices and elements") {
  const auto vertices = [](std::vector<double> positions, std::size_t count) {
    return [positions, count](Solver& s) {
      std::vector<VertexId> ids(count);
      s.participant.set_mesh_vertices(s.mesh, positions, ids);
    };
  };
  const auto edges = [](std::vector<VertexId> pairs) {
    return [pairs](Solver& s) { s.participant.set_mesh_edges(s.mesh, pairs); };
  };
  const std::vector<Wrong> calls{
      {"positions too short", vertices({0, 1, 2}, 2), {"set_mesh_vertices()", "2 ids", "4", "3"}},
      {"positions too long", vertices({0, 1, 2, 3}, 1), {"A-Mesh", "2 dimensions"}},
      {"NaN position",
       vertices({0, 1, not_a_number, 3}, 2),
       {"A-Mesh", "x of vertex 1", "nan", "finite"}},
      {"infinite position", vertices({0, infinity}, 1), {"A-Mesh", "y of vertex 0", "inf"}},
      {"one vertex in 3D",
       [](Solver& s) {
         s.participant.set_mesh_vertex(s.mesh, std::array{1., 2., 3.});
       },
       {"set_mesh_vertex()", "2 dimensions", "3 coordinates"}},
      {"unknown mesh",
       [](Solver& s) {
         s.participant.set_mesh_vertex("C-Mesh", std::array{1., 2.});
       },
       {"set_mesh_vertex()", "\"C-Mesh\"", "\"A-Mesh\"", "\"B-Mesh\""}},
      {"received mesh",
       [](Solver& s) {
         s.participant.set_mesh_vertex("B-Mesh", std::array{1., 2.});
       },
       {"\"B-Mesh\"", "received by participant \"A\""}},
      {"edge with an unknown vertex", edges({0, 3}), {"A-Mesh", "vertex id 3", "edge 0", "0 to 2"}},
      {"edge with a negative vertex", edges({0, 1, -1, 2}), {"vertex id -1", "edge 1"}},
      {"edge that is a point", edges({1, 1}), {"edge 0", "vertex id 1 twice"}},
      {"half an edge", edges({0, 1, 2}), {"3 vertex ids", "edges", "2 each"}},
      {"quad over three vertices",
       [](Solver& s) {
         s.participant.set_mesh_quads(s.mesh, std::array{0, 1, 2, 0});
       },
       {"quad 0", "vertex id 0 twice"}},
      {"tetrahedron in 2D",
       [](Solver& s) {
         s.participant.set_mesh_tetrahedra(s.mesh, std::array{0, 1, 2, 0});
       },
       {"A-Mesh", "2 dimensions"}},
  };
  check_while([](Solver& s) { s.define(); }, calls, initialize_and_finish);
}

TEST_CASE("wrong calls before initialize()") {
  const std::vector<Wrong> calls{
      {"advance",
       [](Solver& s) { s.participant.advance(1); },
       {"advance()", "before initialize()"}},
      {"ongoing",
       [](Solver& s) { static_cast<void>(s.participant.is_coupling_ongoing()); },
       {"is_coupling_ongoing()", "before initialize()"}},
      {"step size",
       [](Solver& s) { static_cast<void>(s.participant.max_time_step_size()); },
       {"max_time_step_size()", "before initialize()"}},
      {"window",
       [](Solver& s) { static_cast<void>(s.participant.is_time_window_complete()); },
       {"is_time_window_complete()", "before initialize()"}},
      {"checkpoint",
       [](Solver& s) { static_cast<void>(s.participant.requires_writing_checkpoint()); },
       {"requires_writing_checkpoint()", "before initialize()"}},
      {"read",
       [](Solver& s) {
         std::array<double, 3> values{};
         s.participant.read_data(s.mesh, "Pressure", s.ids, 0, values);
       },
       {"read_data()", "before initialize()"}},
      {"data dimensions",
       [](Solver& s) { static_cast<void>(s.participant.data_dimensions(s.mesh, "Heat")); },
       {"\"Heat\"", "\"A-Mesh\"", "\"Pressure\"", "\"Velocity\""}},
      {"mesh dimensions",
       [](Solver& s) { static_cast<void>(s.participant.mesh_dimensions("Mesh")); },
       {"\"Mesh\"", "\"A-Mesh\"", "\"B-Mesh\""}},
      {"sections", [](Solver& s) { s.participant.stop_last_profiling_section(); }, {"no section"}},
      {"section name", [](Solver& s) { s.participant.start_profiling_section("a/b"); }, {"a/b"}},
  };
  check_while([](Solver& s) { s.define(); }, calls, initialize_and_finish);
}

TEST_CASE("wrong calls while the coupling is ongoing") {
  const auto advance = [](double dt) { return [dt](Solver& s) { s.participant.advance(dt); }; };
  const std::vector<Wrong> calls{
      {"initialize twice",
       [](Solver& s) { s.participant.initialize(); },
       {"initialize()", "only be called once"}},
      {"vertices", [](Solver& s) { s.define(); }, {"set_mesh_vertices()", "A-Mesh", "locked"}},
      {"edges",
       [](Solver& s) {
         s.participant.set_mesh_edges(s.mesh, std::array{0, 1});
       },
       {"set_mesh_edges()", "locked", "before initialize()"}},
      {"initial data",
       [](Solver& s) { static_cast<void>(s.participant.requires_initial_data()); },
       {"requires_initial_data()", "before initialize()"}},
      {"dt 0", advance(0), {"0", "must be positive"}},
      {"dt negative", advance(-0.5), {"negative", "-0.5"}},
      {"dt NaN", advance(not_a_number), {"nan", "finite"}},
      {"dt infinite", advance(infinity), {"inf", "finite"}},
      {"dt too large", advance(1.1), {"1.1", "exceeds", "1", "max_time_step_size()"}},
      {"open section",
       [](Solver& s) {
         s.participant.start_profiling_section("solve");
         try {
           s.participant.advance(1);
         } catch (...) {
           s.participant.stop_last_profiling_section();
           throw;
         }
       },
       {"\"solve\"", "advance()"}},
  };
  check_while(start, calls, finish);
}

TEST_CASE("wrong writing and reading while the coupling is ongoing") {
  const auto write = [](std::string mesh, std::string data, std::vector<VertexId> ids,
                        std::vector<double> values) {
    return [=](Solver& s) { s.participant.write_data(mesh, data, ids, values); };
  };
  const auto read = [](std::string data, std::vector<VertexId> ids, double time,
                       std::size_t count) {
    return [=](Solver& s) {
      std::vector<double> values(count);
      s.participant.read_data(s.mesh, data, ids, time, values);
    };
  };
  const std::vector<Wrong> calls{
      {"value NaN",
       write("A-Mesh", "Velocity", {0, 2}, {1, 2, 3, not_a_number}),
       {"\"Velocity\"", "\"A-Mesh\"", "vertex id 2", "nan"}},
      {"value infinite",
       write("A-Mesh", "Velocity", {1, 0, 2}, {-infinity, 2, 3, 4, 5, 6}),
       {"vertex id 1", "-inf"}},
      {"values too short",
       write("A-Mesh", "Velocity", {0, 1}, {1, 2, 3}),
       {"write_data()", "2 components", "2 vertex ids", "4 values", "3"}},
      {"values too long", write("A-Mesh", "Velocity", {0}, {1, 2, 3}), {"2 values", "3"}},
      {"id too large",
       write("A-Mesh", "Velocity", {3}, {1, 2}),
       {"vertex id 3", "A-Mesh", "3 vertices", "0 to 2"}},
      {"id negative", write("A-Mesh", "Velocity", {-1}, {1, 2}), {"vertex id -1"}},
      {"write what is read",
       write("A-Mesh", "Pressure", {0}, {1}),
       {"write_data()", "\"A\"", "<write-data", "Pressure"}},
      {"write unknown data",
       write("A-Mesh", "Heat", {0}, {1}),
       {"\"Heat\"", "\"Pressure\"", "\"Velocity\""}},
      {"write to an unknown mesh",
       write("Mesh", "Velocity", {0}, {1, 2}),
       {"\"Mesh\"", "\"A-Mesh\"", "\"B-Mesh\""}},
      {"write to a received mesh",
       write("B-Mesh", "Velocity", {0}, {1, 2}),
       {"B-Mesh", "<write-data"}},
      {"read what is written",
       read("Velocity", {0}, 0, 2),
       {"read_data()", "<read-data", "Velocity"}},
      {"read before now",
       read("Pressure", {0}, -0.1, 1),
       {"relative read time", "-0.1", "negative"}},
      {"read NaN", read("Pressure", {0}, not_a_number, 1), {"relative read time", "nan"}},
      {"read too late", read("Pressure", {0}, 1.5, 1), {"relative read time", "1.5", "1"}},
      {"read too much",
       read("Pressure", {0, 1}, 0, 3),
       {"read_data()", "2 vertex ids", "2 values", "3"}},
      {"read an unknown vertex", read("Pressure", {7}, 0, 1), {"vertex id 7", "3 vertices"}},
  };
  check_while(start, calls, finish);
}

TEST_CASE("wrong calls after the end") {
  const std::vector<Wrong> ended{
      {"advance", [](Solver& s) { s.participant.advance(1); }, {"advance()", "has ended"}},
      {"write",
       [](Solver& s) {
         s.participant.write_data(s.mesh, "Velocity", s.ids, std::array<double, 6>{});
       },
       {"write_data()", "has ended"}},
      {"read later",
       [](Solver& s) {
         std::array<double, 3> values{};
         s.participant.read_data(s.mesh, "Pressure", s.ids, 0.5, values);
       },
       {"has ended", "relative time 0", "0.5"}},
  };
  const auto run_through = [](Solver& s) {
    s.start();
    while (s.participant.is_coupling_ongoing()) {
      s.participant.advance(1);
    }
  };
  check_while(run_through, ended, [](Solver& s) { s.participant.finalize(); });
  const std::vector<Wrong> finalized{
      {"initialize",
       [](Solver& s) { s.participant.initialize(); },
       {"initialize()", "after finalize()"}},
      {"advance", [](Solver& s) { s.participant.advance(1); }, {"advance()", "after finalize()"}},
      {"finalize",
       [](Solver& s) { s.participant.finalize(); },
       {"finalize()", "only be called once"}},
      {"vertices", [](Solver& s) { s.define(); }, {"set_mesh_vertices()", "after finalize()"}},
      {"ongoing",
       [](Solver& s) { static_cast<void>(s.participant.is_coupling_ongoing()); },
       {"after finalize()"}},
      {"write",
       [](Solver& s) {
         s.participant.write_data(s.mesh, "Velocity", s.ids, std::array<double, 6>{});
       },
       {"write_data()", "after finalize()"}},
  };
  check_while([](Solver& s) { s.start(), s.finish(); }, finalized, [](Solver&) {});
}
