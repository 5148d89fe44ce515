// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/foreign_vertices.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <vector>

using namespace isthmus;
using namespace isthmus::planning;

TEST_CASE("own vertices in the middle of a mesh, and ghosts of those that are used") {
  const std::vector<LocalIndex> used{9, 4, 1, 9, 5};
  const ForeignVertices foreign(4, 3, used); // 4, 5, 6 are own
  std::vector<LocalIndex> columns{4, 5, 6, 1, 9};
  foreign.renumber(columns);
  CHECK(columns == std::vector<LocalIndex>{0, 1, 2, 3, 4});
}

TEST_CASE("ghosts have the values and the places of the vertices that they are") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<double> places; // two of each rank, at its number and behind
  for (int vertex = 0; vertex < 2 * comm.size(); ++vertex) {
    places.insert(places.end(), {0.5 * vertex, 0.0});
  }
  const mesh::Mesh mesh("M", 2, places, {}, {});
  std::vector<LocalIndex> columns; // the second one of each rank
  for (int rank = 0; rank < comm.size(); ++rank) {
    columns.push_back(2 * rank + 1);
  }
  const ForeignVertices foreign(2 * comm.rank(), 2, columns);
  OwnMeshGhosts ghosts = foreign.ghosts(comm, mesh, [](LocalIndex vertex) {
    return OnRank{vertex / 2, vertex % 2};
  });
  foreign.renumber(columns);
  std::vector<double> values{1.0 * comm.rank(), comm.rank() + 0.5}; // where they are
  const auto num_ghosts = static_cast<std::size_t>(comm.size()) - 1;
  REQUIRE(ghosts.coordinates.size() == 2 * num_ghosts);
  std::vector<double> arrived(num_ghosts);
  ghosts.halo.forward(comm, 1, values, arrived);
  values.insert(values.end(), arrived.begin(), arrived.end());
  for (int rank = 0; rank < comm.size(); ++rank) {
    const LocalIndex column = columns[static_cast<std::size_t>(rank)];
    CHECK(values[static_cast<std::size_t>(column)] == rank + 0.5);
    if (rank != comm.rank()) {
      CHECK(ghosts.coordinates[2 * static_cast<std::size_t>(column - 2)] == rank + 0.5);
    }
  }
}
