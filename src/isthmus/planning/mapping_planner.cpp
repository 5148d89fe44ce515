// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/mapping_planner.hpp"

#include "isthmus/planning/protocol/contributions.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"

#include <utility>

namespace isthmus::planning {

MappingPlanner::MappingPlanner(partner::Context& context, const transfer::MeshRelation& relation,
                               const OwnMeshes& meshes, const transfer::TransferredMesh& received,
                               Searches& searches)
    : context_(context),
      relation_(relation),
      received_(received),
      searches_(searches),
      awarded_(relation.uses.size()) {
  if (claims_compete(relation, context.comm.size())) {
    for (const transfer::Part& part : received.parts) {
      const auto won = receive<Awards>(context, part.link).by_use(relation, part.count);
      for (std::size_t u = 0; u < won.size(); ++u) { // by part, as the vertices
        awarded_[u].insert(awarded_[u].end(), won[u].begin(), won[u].end());
      }
    }
  }
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    const transfer::MappingUse& use = relation.uses[u];
    if (use.scaled()) {
      integrals_[u] = integrals_of(context.comm, use, received.mesh, meshes.at(use.own_mesh));
    }
  }
}

PlannedMapping MappingPlanner::plan(std::size_t use, std::vector<char>& needed) {
  return relation_.uses[use].writes ? plan_write(use) : plan_read(use, needed);
}

PlannedMapping MappingPlanner::plan_read(std::size_t use, std::vector<char>& needed) {
  PlannedMapping planned;
  planned.use = &relation_.uses[use];
  mapping::Interpolation found = searches_.take(use);
  const mesh::Mesh& own = searches_.own_mesh(*planned.use);
  planned.solver = searches_.take_solver(use);
  if (planned.use->searches_received || planned.solver) { // consistent: a row per own vertex
    planned.rows = mapping::Rows(found.counts, std::move(found.columns), std::move(found.weights));
  } else { // conservative: each awarded vertex of the provider adds to the own vertices it found
    std::vector<mapping::Entry> entries;
    std::size_t k = 0;
    for (std::size_t i = 0; i < found.counts.size(); ++i) {
      for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
        if (is_awarded(use, i)) {
          entries.push_back({found.columns[k], static_cast<LocalIndex>(i), found.weights[k]});
        }
      }
    }
    if (const GatheredMesh* all = searches_.gathered(*planned.use)) {
      entries = deliver(context_.comm, *all, entries);
    }
    planned.rows = mapping::Rows::from_entries(own.num_vertices(), entries);
    planned.rows.sort_by_place(relation_.dimensions, received_.mesh.coordinates());
  }
  if (planned.use->scaled()) {
    planned.to_measures = integrals_.at(use).own;
    planned.from_measures = share_of(context_.comm, integrals_.at(use).received);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      needed[i] = needed[i] != 0 || planned.from_measures[i] != 0;
    }
  }
  for (LocalIndex column : std::as_const(planned.rows).columns()) {
    needed[static_cast<std::size_t>(column)] = 1;
  }
  return planned;
}

PlannedMapping MappingPlanner::plan_write(std::size_t use) {
  const transfer::MappingUse& what = relation_.uses[use];
  mapping::Interpolation found = searches_.take(use);
  const mesh::Mesh& own = searches_.own_mesh(what);
  Contributions contributions(context_, relation_.dimensions, received_.parts, own);
  const GatheredMesh* all = searches_.gathered(what);
  if (all != nullptr && !what.searches_received) {
    contributions.take(localize(context_.comm, *all, found.columns));
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
      const auto point = static_cast<LocalIndex>(i);
      if (what.searches_received ||
          what.solves()) { // conservative: own vertex i adds to what it found
        contributions.add(found.columns[k], point, found.weights[k]);
      } else if (is_awarded(use, i)) { // consistent: vertex i of the provider
        contributions.add(point, found.columns[k], found.weights[k]);
      }
    }
  }
  auto solver = searches_.take_solver(use);
  PlannedMapping planned = contributions.finish(what);
  planned.use = &what;
  planned.solver = std::move(solver);
  if (what.scaled()) {
    planned.from_measures = integrals_.at(use).own;
    for (LocalIndex vertex : planned.vertices) {
      planned.to_measures.push_back(integrals_.at(use).received[static_cast<std::size_t>(vertex)]);
    }
  }
  return planned;
}

} // namespace isthmus::planning
