// SPDX-License-Identifier: BSD-3-Clause
// A participant stands where somebody wants to define meshes only, or to write and read only.
#include "isthmus/base/exception.hpp"
#include "isthmus/participant/data_calls.hpp"
#include "isthmus/participant/mesh_calls.hpp"
#include "isthmus/participant/vertex_id.hpp"
#include "message_of.hpp"
#include "participant/setup/calls.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <array>
#include <type_traits>
#include <vector>

using namespace couple;
using isthmus::DataCalls;
using isthmus::MeshCalls;
using isthmus::VertexId;

namespace {

using Ids = std::array<VertexId, 2>;

Ids define_ends(MeshCalls& calls, const std::string& mesh) {
  Ids ids{};
  calls.set_mesh_vertices(mesh, std::array{0.0, 0.0, 1.0, 0.0}, ids);
  calls.set_mesh_edges(mesh, ids);
  return ids;
}

std::vector<double> read_ends(const DataCalls& calls, const std::string& mesh, const Ids& ids) {
  const auto components =
      static_cast<std::size_t>(calls.data_dimensions(mesh, "Velocity")); // of each id
  std::vector<double> values(components * ids.size());
  calls.read_data(mesh, "Velocity", ids, 1, values); // at the end of the window
  return values;
}

template <typename Calls>
void check_is_no_object_of_its_own() {
  CHECK(std::is_base_of_v<Calls, isthmus::Participant>);
  CHECK_FALSE(std::is_constructible_v<Calls, isthmus::participant::Session&>);
  CHECK_FALSE(std::is_copy_constructible_v<Calls>);
  CHECK_FALSE(std::is_copy_assignable_v<Calls>);
  CHECK_FALSE(std::is_destructible_v<Calls>);
}

} // namespace

TEST_CASE("calls are part of a participant, which cannot be copied") {
  check_is_no_object_of_its_own<MeshCalls>();
  check_is_no_object_of_its_own<DataCalls>();
  CHECK_FALSE(std::is_copy_constructible_v<isthmus::Participant>);
  CHECK_FALSE(std::is_move_constructible_v<isthmus::Participant>);
  CHECK_FALSE(std::is_copy_assignable_v<isthmus::Participant>);
  CHECK(std::is_same_v<VertexId, int>); // as all faces have it
}

TEST_CASE("meshes are defined, and data travel, by those who see nothing else of a participant" *
          on_ranks(1, 1)) {
  const Role a{"A", [](const Seat& seat) {
                 isthmus::Participant participant = seat.make();
                 MeshCalls& meshes = participant;
                 DataCalls& data = participant;
                 const Ids ids = define_ends(meshes, "A-Mesh");
                 CHECK(ids == Ids{0, 1});
                 CHECK(meshes.mesh_dimensions("A-Mesh") == 2);
                 CHECK(meshes.mesh_vertex_size("A-Mesh") == 2);
                 participant.initialize();
                 data.write_data("A-Mesh", "Velocity", ids, std::array{1., 2., 3., 4.});
                 participant.advance(1);
                 participant.finalize();
               }};
  const Role b{"B", [](const Seat& seat) {
                 isthmus::Participant participant = seat.make();
                 const Ids ids = define_ends(participant, "B-Mesh");
                 CHECK(participant.requires_initial_data());
                 participant.initialize();
                 seat.put("read", 0, read_ends(participant, "B-Mesh", ids));
                 participant.advance(1);
                 participant.finalize();
               }};
  Scenario once = scenario();
  once.schemes.front().max_windows = 1;
  const Table table = run(once.xml(), {a, b}, in_threads);
  CHECK(table.at("read").begin()->second == std::vector{1., 2., 3., 4.});
}

TEST_CASE("an error in a call of either kind is one of the participant" * on_ranks(1, 1)) {
  const Role a{
      "A", [](const Seat& seat) {
        isthmus::Participant participant = seat.make();
        MeshCalls& meshes = participant;
        const DataCalls& data = participant;
        const std::string wrong_mesh =
            isthmus::error_of([&] { static_cast<void>(meshes.mesh_dimensions("C-Mesh")); });
        CHECK(isthmus::contains(wrong_mesh, "C-Mesh"));
        throw isthmus::Error(
            isthmus::error_of([&] { static_cast<void>(data.data_dimensions("A-Mesh", "Heat")); }));
      }};
  const Role b{"B", [](const Seat& seat) {
                 Solver solver(seat);
                 solver.start();
               }};
  const Outcome outcome = play(scenario().xml(), {a, b}, in_threads);
  for (const char* participant : {"A", "B"}) {
    CAPTURE(participant);
    check_words(outcome.errors.at(participant), {"Heat", "A-Mesh"});
  }
}
