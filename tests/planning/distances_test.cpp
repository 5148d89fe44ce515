// SPDX-License-Identifier: BSD-3-Clause
// What is said of the distances that mappings bridge.
#include "isthmus/planning/distances.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;

TEST_CASE("distances are those to places that were found") {
  Distances distances;
  distances.add(std::numeric_limits<double>::infinity());
  CHECK(distances.count == 0);
  distances.add(4);
  distances.add(0.25);
  CHECK(distances.least == 0.5);
  CHECK(distances.most == 2);
  CHECK(distances.sum == 2.5);
  CHECK(distances.count == 2);
}

TEST_CASE("a plan says how far vertices of all ranks are from their places" * on_ranks(2)) {
  // vertices of A at x = 0, 1, … on the axis; those of B above, at y = 1, 2, …, but the last at A's
  for (const bool searches_received : {true, false}) {
    for (const int providers : {1, comm::Comm(MPI_COMM_WORLD).size() - 1}) {
      TwoParticipants both(providers);
      std::vector<std::string> said;
      both.log = Log("B", both.mine.rank());
      both.log.add_sink([&said](const LogRecord& record) { said.emplace_back(record.text); });
      const config::Mapping mapping =
          nearest_neighbor(!searches_received, config::Constraint::consistent);
      const protocol::MeshRelation relation = relation_of(mapping, false);
      constexpr int per_rank = 3;
      std::vector<double> coordinates;
      for (int i = 0; i < per_rank; ++i) {
        const int number = both.mine.rank() * per_rank + i;
        coordinates.insert(coordinates.end(), {double(number), both.provides ? 0.0 : 2.0});
      }
      const mesh::Mesh own(both.provides ? "M" : "N", 2, coordinates, {}, {});
      NearestNeighbors mappings;
      Inputs inputs;
      inputs.meshes.add(own);
      inputs.mappings = &mappings;
      ProvidedRelation provided;
      ReceivedRelation received;
      provided.relation = &relation;
      received.relation = &relation;
      if (both.provides) {
        provide_mesh(both.connection, own, provided);
      } else {
        receive_mesh(both.connection, inputs, received);
        report_distances(both.context, relation, received.plan.distances);
      }
      both.hub.flush(60);
      const int asking = searches_received ? both.world.size() - providers : providers;
      const int there = searches_received ? providers : both.world.size() - providers;
      double sum = 0;
      double most = 0;
      for (int i = 0; i < asking * per_rank; ++i) {
        const double distance = std::hypot(std::max(0, i - (there * per_rank - 1)), 2.0);
        sum += distance;
        most = std::max(most, distance);
      }
      if (!both.provides && both.mine.rank() == 0) {
        REQUIRE(said.size() == 1);
        CHECK(said[0].find(fmt::format("distances of {} vertices from their places: min 2, max "
                                       "{:.4g}, average {:.4g}",
                                       asking * per_rank, most, sum / (asking * per_rank))) !=
              std::string::npos);
      } else if (!both.provides) {
        CHECK(said.empty());
      }
    }
  }
}
