// SPDX-License-Identifier: BSD-3-Clause
// Routes and rows of what was found.
#include "isthmus/base/error.hpp"
#include "isthmus/planning/held_mesh.hpp"
#include "isthmus/planning/protocol/contributions.hpp"
#include "isthmus/planning/protocol/copies.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/planning/reception.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"

#include <algorithm>
#include <utility>

#include "isthmus/mesh/measures.hpp"

namespace isthmus::planning {

ReceivedPlan Reception::plan() {
  const auto scope = context_.trace.scope("plan");
  const std::vector<std::vector<char>> awarded = receive_awards();
  prepare_integrals();
  const std::vector<double> measures = weigh();
  if (!relation_.is_held && memory_ == nullptr) {
    received_.mesh.drop_connectivity();
  }
  searches_.forget_distances();
  ReceivedPlan plan;
  plan.num_transferred = received_.mesh.num_vertices();
  std::vector<char> needed(static_cast<std::size_t>(plan.num_transferred), shows_all() ? 1 : 0);
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (const std::string remark = searches_.remark(u);
        context_.comm.is_root() && !remark.empty()) {
      context_.log.warning("{}", remark);
    }
    plan.mappings.push_back(relation_.uses[u].writes ? plan_write(u, awarded[u])
                                                     : plan_read(u, awarded[u], needed));
  }
  plan.accessed = searches_.take_accessed();
  std::vector<LocalIndex> numbers;
  if (memory_ != nullptr) {
    (*memory_)->read.resize(received_.parts.size());
  }
  plan.num_read = number_copies(send_piece_, received_.parts, needed, numbers, plan.read,
                                memory_ != nullptr ? &(*memory_)->read : nullptr);
  if (copies_are_marked(relation_, context_.comm.size())) {
    plan.copies = receive_shared(context_, plan.read);
  }
  plan.held = hold(received_.mesh, numbers, plan, measures);
  renumber(plan, numbers);
  if (memory_ != nullptr) {
    remember_users(plan, std::move(numbers));
  }
  for (PlannedMapping& mapping : plan.mappings) {
    if (mapping.use->takes_gradients()) {
      mapping.rows.take_parts(1 + relation_.dimensions);
    }
  }
  return plan;
}

/// Which vertices of the provider this rank was awarded, per use; empty where all are.
std::vector<std::vector<char>> Reception::receive_awards() {
  std::vector<std::vector<char>> awarded(relation_.uses.size());
  if (!claims_compete(relation_, context_.comm.size())) {
    return awarded;
  }
  for (const transfer::Part& part : received_.parts) {
    const Awards awards = receive<Awards>(context_, part.link);
    auto won = awards.lists.begin();
    for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
      if (relation_.uses[u].claims()) {
        check(won != awards.lists.end() && won->size() == static_cast<std::size_t>(part.count),
              "a message of awards is too short");
        awarded[u].insert(awarded[u].end(), won->begin(), won->end()); // by part, as the vertices
        ++won;
      }
    }
  }
  return awarded;
}

/// A single rank holds all of a mesh that somebody beside the mappings looks at: exports, and the
/// measures and the acceleration of an implicit scheme. It has got all vertices.
bool Reception::shows_all() const {
  return context_.comm.size() == 1 && (relation_.is_held || relation_.is_measured);
}

/// The share of each vertex in the elements around it, where an action needs it: all have come.
std::vector<double> Reception::weigh() const {
  return relation_.is_weighed
             ? mesh::vertex_measures(received_.mesh, mesh::surface_dimension(received_.mesh))
             : std::vector<double>();
}

/// Mappings take the copies of vertices.
void Reception::renumber(ReceivedPlan& plan, const std::vector<LocalIndex>& numbers) {
  for (PlannedMapping& mapping : plan.mappings) {
    mapping.vertices = {};
    if (!mapping.use->writes) {
      for (LocalIndex& column : mapping.rows.columns()) {
        column = numbers[static_cast<std::size_t>(column)];
      }
      mapping.from_measures = renumbered(mapping.from_measures, numbers, plan.num_read);
    }
  }
}

void Reception::remember_users(const ReceivedPlan& plan, std::vector<LocalIndex> numbers) {
  std::vector<std::int32_t> of_copies(static_cast<std::size_t>(plan.num_read), 0);
  for (const PlannedMapping& mapping : plan.mappings) {
    for (const LocalIndex column : mapping.rows.columns()) {
      ++of_copies[static_cast<std::size_t>(column)];
    }
  }
  std::vector<std::int32_t>& users = (*memory_)->num_users;
  users.assign(numbers.size(), 0);
  for (std::size_t v = 0; v < numbers.size(); ++v) {
    if (numbers[v] >= 0) {
      users[v] = of_copies[static_cast<std::size_t>(numbers[v])];
    }
  }
  (*memory_)->numbers = std::move(numbers);
}

/// Where points have other nearest vertices, but all of them together need the same as before:
/// corrects the last plan. False where that is not so.
bool Reception::update_rows() {
  ReceptionMemory& memory = **memory_;
  std::vector<const std::vector<mapping::MovingNearest::Change>*> changes;
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    changes.push_back(searches_.changes(u));
    if (changes.back() == nullptr) {
      return false;
    }
  }
  for (const auto* of_use : changes) {
    for (const auto& change : *of_use) {
      --memory.num_users[static_cast<std::size_t>(change.before)];
      ++memory.num_users[static_cast<std::size_t>(change.now)];
    }
  }
  for (const auto* of_use : changes) {
    for (const auto& change : *of_use) {
      if (memory.num_users[static_cast<std::size_t>(change.before)] == 0 ||
          memory.numbers[static_cast<std::size_t>(change.now)] < 0) {
        return false;
      }
    }
  }
  for (std::size_t u = 0; u < changes.size(); ++u) {
    const std::span<LocalIndex> columns = last_.mappings[u].rows.columns();
    for (const auto& change : *changes[u]) {
      columns[static_cast<std::size_t>(change.point)] =
          memory.numbers[static_cast<std::size_t>(change.now)];
    }
  }
  for (const LocalIndex vertex : *moved_) { // those that are read have the numbers of the copies
    const LocalIndex held = memory.numbers[static_cast<std::size_t>(vertex)];
    if (held >= 0) {
      last_.held->mesh.move_vertices(std::span(&held, 1), received_.mesh.vertex(vertex));
    }
  }
  return true;
}

PlannedMapping Reception::plan_read(std::size_t use, const std::vector<char>& awarded,
                                    std::vector<char>& needed) {
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
        if (awarded.empty() || awarded[i] != 0) {
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

PlannedMapping Reception::plan_write(std::size_t use, const std::vector<char>& awarded) {
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
      } else if (awarded.empty() || awarded[i] != 0) { // consistent: vertex i of the provider
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

/// Collective where a use is scaled.
void Reception::prepare_integrals() {
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const transfer::MappingUse& use = relation_.uses[u];
    if (use.scaled()) {
      integrals_[u] = integrals_of(context_.comm, use, received_.mesh, own_mesh_(use.own_mesh));
    }
  }
}

} // namespace isthmus::planning
