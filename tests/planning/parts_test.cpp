// SPDX-License-Identifier: BSD-3-Clause
// Where some uses of a mesh take shares and others look around, a rank gets both and nothing else.
#include "isthmus/planning/parts.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/measures.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace isthmus;
using namespace isthmus::planning;
using namespace isthmus::protocol;

namespace {

constexpr int per_provider = 60;

/// Vertices of all providers along a line, in turn, so that shares and regions are different ones.
mesh::Mesh line_in_turn(const TwoParticipants& both) {
  mesh::Mesh mesh("M", 2);
  for (int i = 0; i < per_provider; ++i) {
    const double x = i * both.providers + both.mine.rank();
    mesh.add_vertices(std::vector<double>{x, 0});
    if (i > 0) {
      mesh.add_edges(std::vector<LocalIndex>{i - 1, i});
    }
  }
  return mesh;
}

/// Of a rank of the receiver: a piece of the line from its end.
geometry::Box region_of(const TwoParticipants& both) {
  const int num_vertices = per_provider * both.providers;
  const double length = static_cast<double>(num_vertices) / both.mine.size();
  const double end = num_vertices - 0.5 - both.mine.rank() * length;
  return {{end - length, -1, 0}, {end, 1, 0}};
}

config::Mapping reading(config::MappingKind kind, config::Constraint constraint) {
  config::Mapping mapping = nearest_neighbor(false, constraint);
  mapping.kind = kind;
  return mapping;
}

/// The places of some vertices.
std::vector<double> coordinates_of(const mesh::Mesh& mesh,
                                   const std::vector<LocalIndex>& vertices) {
  std::vector<double> places;
  for (const LocalIndex vertex : vertices) {
    places.push_back(mesh.vertex(vertex)[0]);
  }
  return places;
}

void check_received(const TwoParticipants& both, const ReceivedParts& received) {
  const auto num_vertices = static_cast<std::size_t>(per_provider * both.providers);
  const mesh::Mesh& mesh = received.mesh.mesh;
  REQUIRE(received.share.has_value());
  std::vector<double> times(num_vertices, 0.0); // in a share of any rank
  for (const double x : coordinates_of(mesh, *received.share)) {
    times[static_cast<std::size_t>(x)] += 1;
  }
  comm::allreduce(both.mine, std::span(times), comm::Op::sum);
  CHECK(times == std::vector<double>(num_vertices, 1.0));
  std::vector<double> all;
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    all.push_back(mesh.vertex(v)[0]);
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
  const geometry::Box region = region_of(both);
  std::size_t around = 0;
  for (std::size_t i = 0; i < num_vertices; ++i) {
    const auto x = static_cast<double>(i);
    if (region.contains({x, 0, 0})) {
      CHECK(std::binary_search(all.begin(), all.end(), x));
      ++around;
    }
  }
  CHECK(all.size() <= around + received.share->size());
}

} // namespace

TEST_CASE("each rank gets its region and its share, and nothing else" * on_ranks(3)) {
  for (int providers = 1; providers <= 2; ++providers) {
    TwoParticipants both(providers);
    if (both.world.size() - providers < 2) {
      continue; // one rank gets everything
    }
    const auto nearest =
        reading(config::MappingKind::nearest_neighbor, config::Constraint::consistent);
    const auto global =
        reading(config::MappingKind::rbf_global_direct, config::Constraint::consistent);
    protocol::MeshRelation relation = relation_of(nearest, false);
    relation.uses.push_back(protocol::use_of(global, "M"));
    PartFinder finder(both.connection, relation,
                      both.provides ? rendezvous::Side::provider : rendezvous::Side::receiver);
    CHECK(finder.shares());
    CHECK(finder.looks());
    const std::vector<geometry::Box> region{region_of(both)};
    for (int again = 0; again < 2; ++again) { // as where a margin did not suffice
      if (both.provides) {
        const mesh::Mesh mesh = line_in_turn(both);
        const auto recipients =
            send_parts(both.connection, relation, mesh, finder,
                       std::vector<geometry::Box>{geometry::bounding_box(2, mesh.coordinates())});
        CHECK_FALSE(recipients.empty());
      } else {
        check_received(both, receive_parts(both.connection, relation, finder, region,
                                           per_provider * providers));
      }
    }
  }
}

TEST_CASE("elements are measured where they are, and every rank knows the measure of the mesh" *
          on_ranks(3)) {
  TwoParticipants both(1);
  const auto scaled =
      reading(config::MappingKind::nearest_neighbor, config::Constraint::scaled_consistent_surface);
  protocol::MeshRelation relation = relation_of(scaled, false);
  relation.is_weighed = true;
  CHECK_FALSE(relation.sends_connectivity());
  PartFinder finder(both.connection, relation,
                    both.provides ? rendezvous::Side::provider : rendezvous::Side::receiver);
  if (both.provides) {
    const mesh::Mesh mesh = line_in_turn(both);
    const auto recipients =
        send_parts(both.connection, relation, mesh, finder,
                   std::vector<geometry::Box>{geometry::bounding_box(2, mesh.coordinates())});
    send_measures(both.context, relation, mesh, recipients);
    return;
  }
  const std::vector<geometry::Box> region{region_of(both)};
  const ReceivedParts received =
      receive_parts(both.connection, relation, finder, region, per_provider);
  CHECK(received.mesh.mesh.edges().empty());
  const Measures measures = receive_measures(both.context, relation, received.mesh);
  for (const Weighing what : {Weighing::surface, Weighing::action}) {
    CHECK(measures.of(what).total == doctest::Approx(per_provider - 1.0));
    const auto& of_vertices = measures.of(what).vertices;
    REQUIRE(of_vertices.size() == static_cast<std::size_t>(received.mesh.mesh.num_vertices()));
    for (std::size_t v = 0; v < of_vertices.size(); ++v) {
      const double x = received.mesh.mesh.vertex(static_cast<LocalIndex>(v))[0];
      CHECK(of_vertices[v] == (x == 0 || x == per_provider - 1 ? 0.5 : 1.0));
    }
  }
  CHECK(measures.of(Weighing::volume).vertices.empty());
}
