// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/receive_mesh.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"
#include "isthmus/coupling/contributions.hpp"
#include "isthmus/coupling/held_mesh.hpp"
#include "isthmus/coupling/reception.hpp"
#include "isthmus/mapping/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace isthmus::coupling {

/// Which vertices of the provider this rank was awarded, per use; empty where all are.
std::vector<std::vector<char>> Reception::awards() {
  std::vector<std::vector<char>> awarded(relation_.uses.size());
  if (!relation_.has_claims() || context_.comm.size() == 1) {
    return awarded;
  }
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (!relation_.uses[u].searches_received) {
      awarded[u].resize(static_cast<std::size_t>(received_.mesh.num_vertices()), 0);
    }
  }
  for (const Part& part : received_.parts) {
    const auto bytes = context_.hub.receive(part.link, comm::Kind::plan, context_.patience);
    comm::Reader reader(bytes);
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      if (!relation_.uses[u].searches_received) {
        const auto won = reader.get_array<char>();
        check(won.size() == static_cast<std::size_t>(part.count),
              "a message of awards is too short");
        std::copy(won.begin(), won.end(), awarded[u].begin() + part.first);
      }
    }
  }
  return awarded;
}

ReceivedPlan Reception::plan() {
  const auto scope = context_.trace.scope("initialize/plan");
  const std::vector<std::vector<char>> awarded = awards();
  prepare_integrals();
  if (!relation_.is_held) {
    received_.mesh.drop_connectivity();
  }
  for (Search& search : searches_) {
    search.result.distances2 = {};
  }
  ReceivedPlan plan;
  plan.num_transferred = received_.mesh.num_vertices();
  std::vector<char> needed(static_cast<std::size_t>(plan.num_transferred), 0);
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    plan.mappings.push_back(relation_.uses[u].writes ? plan_write(u, awarded[u])
                                                     : plan_read(u, awarded[u], needed));
  }
  plan.accessed = std::move(accessed_);
  std::vector<LocalIndex> numbers;
  plan.num_read = number_reads(needed, numbers, plan.read);
  if (relation_.is_held) {
    plan.held = hold(received_.mesh, numbers, plan);
  }
  for (PlannedMapping& mapping : plan.mappings) {
    mapping.vertices = {};
    if (!mapping.use->writes) {
      for (LocalIndex& column : mapping.rows.columns()) {
        column = numbers[static_cast<std::size_t>(column)];
      }
      mapping.from_measures = renumbered(mapping.from_measures, numbers, plan.num_read);
    }
  }
  return plan;
}

/// Numbers the needed copies by part and tells the provider which they are.
LocalIndex Reception::number_reads(const std::vector<char>& needed,
                                   std::vector<LocalIndex>& numbers, std::vector<Route>& routes) {
  numbers.assign(needed.size(), -1);
  LocalIndex next = 0;
  for (const Part& part : received_.parts) {
    std::vector<LocalIndex> positions;
    const LocalIndex first = next;
    for (LocalIndex i = 0; i < part.count; ++i) {
      const auto vertex = static_cast<std::size_t>(part.first + i);
      if (needed[vertex] != 0) {
        numbers[vertex] = next++;
        positions.push_back(i);
      }
    }
    comm::Writer writer;
    writer.put_array(positions);
    context_.hub.send(part.link, comm::Kind::plan, writer.take());
    if (next > first) {
      routes.push_back({part.link, first, next - first, {}});
    }
  }
  return next;
}

PlannedMapping Reception::plan_read(std::size_t use, const std::vector<char>& awarded,
                                    std::vector<char>& needed) {
  PlannedMapping planned;
  planned.use = &relation_.uses[use];
  mapping::Interpolation found = searches_[search_of_[use]].take();
  const mesh::Mesh& own = asking_mesh(*planned.use);
  if (planned.use->searches_received) { // consistent: a row per own vertex
    planned.rows = mapping::Rows(found.counts, std::move(found.columns), std::move(found.weights));
  } else { // conservative: each awarded vertex of the provider adds to the own vertices it found
    std::vector<mapping::Entry> entries;
    std::size_t k = 0;
    for (std::size_t i = 0; i < found.counts.size(); ++i) {
      for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
        if (awarded.empty() || awarded[i] != 0) {
          entries.push_back({found.columns[k], static_cast<LocalIndex>(i), found.weights[k]});
        }
      }
    }
    planned.rows = mapping::Rows::from_entries(own.num_vertices(), entries);
    planned.rows.sort_by_place(relation_.dimensions, received_.mesh.coordinates());
  }
  if (planned.use->scaled()) {
    planned.to_measures = integrals_.at(use).own;
    planned.from_measures = own_share(integrals_.at(use).received);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      needed[i] = needed[i] != 0 || planned.from_measures[i] != 0;
    }
  }
  for (LocalIndex column : std::as_const(planned.rows).columns()) {
    needed[static_cast<std::size_t>(column)] = 1;
  }
  return planned;
}

PlannedMapping Reception::plan_write(std::size_t use, const std::vector<char>& awarded) {
  const MappingUse& what = relation_.uses[use];
  const mapping::Interpolation found = searches_[search_of_[use]].take();
  const mesh::Mesh& own = asking_mesh(what);
  Contributions contributions(context_, relation_.dimensions, received_.parts, own);
  std::size_t k = 0;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
      const auto point = static_cast<LocalIndex>(i);
      if (what.searches_received) { // conservative: own vertex i adds to what it found
        contributions.add(found.columns[k], point, found.weights[k]);
      } else if (awarded.empty() || awarded[i] != 0) { // consistent: vertex i of the provider
        contributions.add(point, found.columns[k], found.weights[k]);
      }
    }
  }
  PlannedMapping planned = contributions.finish(what.searches_received);
  planned.use = &what;
  if (what.scaled()) {
    planned.from_measures = integrals_.at(use).own;
    for (LocalIndex vertex : planned.vertices) {
      planned.to_measures.push_back(integrals_.at(use).received[static_cast<std::size_t>(vertex)]);
    }
  }
  return planned;
}

/// Collective where a use is scaled. Measures of both its meshes, which must have elements.
void Reception::prepare_integrals() {
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const MappingUse& use = relation_.uses[u];
    if (!use.scaled()) {
      continue;
    }
    const bool volume = use.mapping->constraint == config::Constraint::scaled_consistent_volume;
    const auto extent = volume ? mapping::Extent::volume : mapping::Extent::surface;
    Integrals& integrals = integrals_[u];
    integrals.received = mapping::vertex_measures(received_.mesh, extent);
    integrals.own = mapping::vertex_measures(own_mesh_(use.own_mesh), extent);
    const auto sum = [](const std::vector<double>& all) {
      return std::accumulate(all.begin(), all.end(), 0.0);
    };
    const double own = comm::allreduce(context_.comm, sum(integrals.own), comm::Op::sum);
    check(own > 0 && sum(integrals.received) > 0,
          "the scaled mapping from \"{}\" to \"{}\" in line {} integrates over both meshes, but "
          "mesh \"{}\" has no {}; define them before initialize() or use "
          "constraint=\"consistent\"",
          use.mapping->from, use.mapping->to, use.mapping->line,
          own > 0 ? relation_.mesh : use.own_mesh,
          relation_.dimensions == 3 ? (volume ? "tetrahedra" : "triangles")
                                    : (volume ? "triangles" : "edges"));
  }
}

/// Measures of the block of transferred vertices that this rank integrates, 0 elsewhere.
std::vector<double> Reception::own_share(const std::vector<double>& measures) const {
  const auto begin_of = [&measures, this](int rank) {
    return measures.size() * static_cast<std::size_t>(rank) /
           static_cast<std::size_t>(context_.comm.size());
  };
  std::vector<double> share(measures.size(), 0.0);
  for (std::size_t i = begin_of(context_.comm.rank()); i < begin_of(context_.comm.rank() + 1);
       ++i) {
    share[i] = measures[i];
  }
  return share;
}

/// Values of transferred vertices as values of the copies that they became.
std::vector<double> Reception::renumbered(const std::vector<double>& values,
                                          const std::vector<LocalIndex>& numbers,
                                          LocalIndex count) {
  std::vector<double> result(values.empty() ? 0 : static_cast<std::size_t>(count), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (numbers[i] >= 0) {
      result[static_cast<std::size_t>(numbers[i])] = values[i];
    }
  }
  return result;
}

ReceivedPlan receive_mesh(Connection& provider, const MeshRelation& relation,
                          const FindMesh& own_mesh, const MakeMapping& make_mapping,
                          const Regions& regions) {
  return Reception(provider, relation, own_mesh, make_mapping, regions).run();
}

} // namespace isthmus::coupling
