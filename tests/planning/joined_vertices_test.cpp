// SPDX-License-Identifier: BSD-3-Clause
// Two mappings reach the vertices of one mesh from different ranks, as their meshes are dealt.
#include "isthmus/planning/contributions.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "planning/carry.hpp"
#include "planning/two_participants.hpp"
#include "ranks.hpp"

#include <set>

using namespace isthmus;
using namespace isthmus::planning;

namespace {

constexpr int per_rank = 6;

/// Each rank has some vertices of a line, in turn; `shift`: another rank has them.
mesh::Mesh dealt(const std::string& name, const comm::Comm& comm, int shift) {
  mesh::Mesh mesh(name, 2);
  for (int i = 0; i < per_rank; ++i) {
    const double x = i * comm.size() + (comm.rank() + shift) % comm.size();
    mesh.add_vertices(std::vector<double>{x, 0.0});
  }
  return mesh;
}

config::Mapping from_mesh(const std::string& own, config::Constraint constraint) {
  config::Mapping mapping = nearest_neighbor(true, constraint);
  mapping.from = own;
  return mapping;
}

} // namespace

TEST_CASE("values of joined mappings come to one rank for each vertex" * on_ranks(2)) {
  for (const int shift : {0, 1}) {
    TwoParticipants both(1);
    const config::Mapping one = from_mesh("N", config::Constraint::conservative);
    const config::Mapping other = from_mesh("O", config::Constraint::consistent);
    protocol::MeshRelation relation = relation_of(one, false);
    relation.uses.push_back(protocol::use_of(other, "M"));
    for (protocol::MappingUse& use : relation.uses) {
      use.is_joined = true;
    }
    const NearestNeighbors mappings;
    Inputs inputs;
    inputs.mappings = &mappings;
    if (both.provides) { // a vertex for each of B
      mesh::Mesh mesh("M", 2);
      for (int x = 0; x < per_rank * (both.world.size() - 1); ++x) {
        mesh.add_vertices(std::vector<double>{static_cast<double>(x), 0.1});
      }
      ProvidedRelation provided;
      provided.relation = &relation;
      provide_mesh(both.connection, mesh, provided);
      both.hub.flush(60);
      const auto size = static_cast<std::size_t>(mesh.num_vertices());
      for (const std::vector<Route>& routes : provided.plan.write) {
        const std::vector<double> got = carry(both, {}, routes, {}, size);
        for (std::size_t v = 0; v < size; ++v) {
          CHECK(got[v] == static_cast<double>(v));
        }
      }
      continue;
    }
    const mesh::Mesh n = dealt("N", both.mine, 0);
    const mesh::Mesh o = dealt("O", both.mine, shift);
    inputs.meshes.add(n);
    inputs.meshes.add(o);
    ReceivedRelation received;
    received.relation = &relation;
    receive_mesh(both.connection, inputs, received);
    both.hub.flush(60);
    std::vector<std::set<double>> here; // by mapping: what it brings to this rank
    for (std::size_t u = 0; u < 2; ++u) {
      const mesh::Mesh& own = u == 0 ? n : o;
      std::vector<double> values;
      for (LocalIndex v = 0; v < own.num_vertices(); ++v) {
        values.push_back(own.vertex(v)[0]);
      }
      PlannedMapping& planned = received.plan.mappings[u];
      std::vector<double> out(static_cast<std::size_t>(planned.num_results()));
      planned.apply(both.mine, 1, values, out);
      CHECK((shift == 1 || !planned.handover));
      here.emplace_back(out.begin(), out.end());
      static_cast<void>(carry(both, planned.routes, {}, out, 0));
    }
    CHECK(here[0] == here[1]);
    CHECK(comm::allreduce(both.mine, static_cast<int>(here[0].size()), comm::Op::sum) ==
          per_rank * both.mine.size()); // of each vertex on one rank
  }
}
