// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/claims.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/planning/recipient.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;
using config::Constraint;

namespace {

constexpr double distance = 10;  // of the only vertex of each rank of the receiver from the next
constexpr double beside = 0.125; // of the vertices of each rank of the provider

/// What a rank of the provider has: vertices beside all those of the receiver and between them.
mesh::Mesh provided_by(int rank, int receivers) {
  mesh::Mesh mesh("M", 2);
  for (double x = 0; x < distance * receivers; ++x) {
    mesh.add_vertices(std::vector{x + beside * rank, 0.0});
  }
  return mesh;
}

/// Of two equally near ones it is the one of which the vertex comes first.
int nearest_receiver(double x, int receivers) {
  int nearest = 0;
  for (int rank = 1; rank < receivers; ++rank) {
    if (std::abs(x - distance * rank) < std::abs(x - distance * nearest)) {
      nearest = rank;
    }
  }
  return nearest;
}

} // namespace

TEST_CASE("of what was found remains what was awarded, or what was chosen instead") {
  const mesh::Mesh own("N", 2, {0, 0, 1, 0, 2, 0}, {}, {});
  const mapping::Interpolation found{{2, 1, 1}, {0, 1, 2, 2}, {0.5, 0.5, 1, 1}, {0, 0, 0}};
  const std::vector<Award> awards{Award::as_claimed, Award::no, Award::as_chosen};
  std::vector<geometry::Projection> choices{{{0.25, 0.75, 0}, 0, {1, 2, -1}, 2}};
  const mapping::Interpolation kept = keep_awarded(found, awards, choices, own);
  CHECK(kept.counts == std::vector<LocalIndex>{2, 0, 2});
  CHECK(kept.columns == std::vector<LocalIndex>{0, 1, 1, 2});
  CHECK(kept.weights == std::vector<double>{0.5, 0.5, 0.25, 0.75});
  choices[0].vertex[1] = 3;
  CHECK_THROWS_AS(static_cast<void>(keep_awarded(found, awards, choices, own)), Error);
}

TEST_CASE("a claim is worth the distance and the first vertex that was found") {
  const mesh::Mesh own("N", 2, {0, 0, 3, 4}, {}, {});
  const double none = std::numeric_limits<double>::infinity();
  const auto claims = claims_of(own, {{1, 0, 1}, {1, 0}, {1, 1}, {9, none, 16}});
  REQUIRE(claims.size() == 3);
  CHECK(claims[0].corner == geometry::Point{3, 4, 0});
  CHECK(claims[0].better_than(claims[2]));
  CHECK(claims[2].better_than(claims[1]));
}

TEST_CASE("each vertex is won by the rank of the receiver that has found something nearest to it" *
          on_ranks(2)) {
  const int ranks = comm::Comm(MPI_COMM_WORLD).size();
  for (const int providers : {1, ranks / 2}) {
    TwoParticipants both(providers);
    const config::Mapping mapping = nearest_neighbor(true, Constraint::consistent);
    const protocol::MeshRelation relation = relation_of(mapping, false);
    const int receivers = ranks - providers;
    const geometry::Box everywhere{{-1, -1, 0}, {distance * ranks, 1, 0}};
    const std::vector<int> partners = both.connection.find_partners(
        both.provides ? rendezvous::Side::provider : rendezvous::Side::receiver,
        config::Initialization::rendezvous, std::span(&everywhere, 1));
    REQUIRE(partners.size() == std::size_t(both.provides ? receivers : providers));
    if (both.provides) {
      const mesh::Mesh mesh = provided_by(both.mine.rank(), receivers);
      std::vector<Recipient> recipients;
      for (const int rank : partners) {
        Recipient& recipient = recipients.emplace_back();
        recipient.rank = rank;
        recipient.link = both.connection.link_to(rank);
        recipient.selection.everything = true;
      }
      Contest held(relation, mesh);
      held.run(both.context, recipients);
      const double last = distance - 1 + beside * both.mine.rank(); // from the last receiver
      CHECK(held.farthest() == doctest::Approx(std::hypot(last, 0.5)));
      held.send_awards(both.context, recipients);
      both.hub.flush(60);
      continue;
    }
    transfer::TransferredMesh received{mesh::Mesh("M", 2), {}};
    for (const int rank : partners) {
      const mesh::Mesh part = provided_by(rank, receivers);
      received.parts.push_back({.rank = rank,
                                .link = both.connection.link_to(rank),
                                .first = received.mesh.num_vertices(),
                                .count = part.num_vertices()});
      received.mesh.add_vertices(part.coordinates());
    }
    const mesh::Mesh own("N", 2, {distance * both.mine.rank(), 0.5}, {}, {});
    const NearestNeighbors mappings;
    Inputs inputs;
    inputs.meshes.add(own);
    inputs.mappings = &mappings;
    Searches searches(both.mine, relation, inputs);
    searches.run(received.mesh, {}, nullptr, nullptr);
    send_claims(both.context, relation, received, searches);
    const Awards awards = receive_awards(both.context, relation, received.parts);
    REQUIRE(awards.lists[0].size() == std::size_t(received.mesh.num_vertices()));
    for (LocalIndex v = 0; v < received.mesh.num_vertices(); ++v) {
      const double x = received.mesh.vertex(v)[0];
      CAPTURE(x);
      CHECK((awards.lists[0][std::size_t(v)] == Award::as_claimed) ==
            (nearest_receiver(x, receivers) == both.mine.rank()));
    }
    both.hub.flush(60);
  }
}
