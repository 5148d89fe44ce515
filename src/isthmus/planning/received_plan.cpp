// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/received_plan.hpp"

#include "isthmus/planning/claims.hpp"
#include "isthmus/planning/contributions.hpp"
#include "isthmus/planning/parts.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace isthmus::planning {

namespace {

/// The elements whose corners are all held, in new numbers.
std::vector<LocalIndex> held_elements(std::span<const LocalIndex> elements, std::size_t corners,
                                      std::span<const LocalIndex> numbers) {
  std::vector<LocalIndex> held;
  for (std::size_t first = 0; first < elements.size(); first += corners) {
    const auto element = elements.subspan(first, corners);
    const auto number = [numbers](LocalIndex v) { return numbers[static_cast<std::size_t>(v)]; };
    if (std::all_of(element.begin(), element.end(), [&](LocalIndex v) { return number(v) >= 0; })) {
      std::transform(element.begin(), element.end(), std::back_inserter(held), number);
    }
  }
  return held;
}

} // namespace

std::optional<Handover> hand_to_owners(LocalIndex num_own, const exchange::Halo& ghosts) {
  if (ghosts.empty()) {
    return std::nullopt;
  }
  std::vector<exchange::Halo::Neighbour> targets;
  LocalIndex next = num_own; // results of ghosts, then values that come
  for (const exchange::Halo::Source& source : ghosts.sources()) {
    std::vector<LocalIndex> results(static_cast<std::size_t>(source.count));
    std::iota(results.begin(), results.end(), next);
    next += source.count;
    targets.push_back({source.rank, std::move(results)});
  }
  std::vector<mapping::Entry> entries;
  for (LocalIndex vertex = 0; vertex < num_own; ++vertex) {
    entries.push_back({vertex, vertex, 1.0});
  }
  std::vector<exchange::Halo::Source> sources;
  for (const exchange::Halo::Neighbour& target : ghosts.targets()) {
    sources.push_back({target.rank, static_cast<LocalIndex>(target.entries.size())});
    for (const LocalIndex vertex : target.entries) {
      entries.push_back({vertex, next++, 1.0});
    }
  }
  return Handover{exchange::Halo(std::move(targets), std::move(sources)),
                  mapping::Rows::from_entries(num_own, entries)};
}

void Distances::add(double distance2) {
  if (!std::isfinite(distance2)) {
    return;
  }
  const double distance = std::sqrt(distance2);
  least = std::min(least, distance);
  most = std::max(most, distance);
  sum += distance;
  ++count;
}

MappingPlanner::MappingPlanner(partner::Context& context, const protocol::MeshRelation& relation,
                               const transfer::TransferredMesh& received, Searches& searches,
                               std::optional<protocol::Awards> awards)
    : context_(context),
      relation_(relation),
      received_(received),
      searches_(searches),
      awards_(std::move(awards)) {}

void MappingPlanner::integrate(const mesh::OwnMeshes& meshes, const Measures& measures) {
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    const protocol::MappingUse& use = relation_.uses[u];
    if (use.scaled()) {
      integrals_[u] = integrals_of(context_.comm, use, received_.mesh, measures.of(use.weighing()),
                                   meshes.at(use.own_mesh));
    }
  }
}

Distances MappingPlanner::distances(std::size_t use) const {
  Distances distances;
  const protocol::MappingUse& what = relation_.uses[use];
  if (!what.has_places()) {
    return distances;
  }
  const std::vector<double>& found = searches_.result(use).distances2;
  const bool is_awarded = awards_ && what.claims();
  const std::size_t first = is_awarded ? relation_.first_alike(use) : 0;
  std::size_t choice = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const protocol::Award award =
        is_awarded ? awards_->lists[first][i] : protocol::Award::as_claimed;
    if (award == protocol::Award::as_claimed) {
      distances.add(found[i]);
    } else if (award == protocol::Award::as_chosen) {
      distances.add(awards_->choices[first][choice++].distance2);
    }
  }
  return distances;
}

PlannedMapping MappingPlanner::plan(std::size_t use, std::vector<char>& needed) {
  return relation_.uses[use].writes ? plan_write(use) : plan_read(use, needed);
}

MappingPlanner::Taken MappingPlanner::take(std::size_t use) {
  const protocol::MappingUse& what = relation_.uses[use];
  Taken taken{searches_.take(use), searches_.take_late(use), {}, {}};
  if (awards_ && what.claims()) {
    const std::size_t first = relation_.first_alike(use);
    taken.found = keep_awarded(taken.found, awards_->lists[first], awards_->choices[first],
                               searches_.own_mesh(what));
  }
  if (what.searches_nearby() && context_.comm.size() > 1) {
    taken.awarded = std::move(taken.found.counts);
    FoundNearby nearby = searches_.find_nearby(use, received_.mesh, taken.awarded);
    taken.found = std::move(nearby.found);
    taken.late = std::move(nearby.late);
    taken.ghosts = std::move(nearby.ghosts);
  }
  const GatheredMesh* all = searches_.gathered(what);
  if (all != nullptr && what.writes && !what.searches_received) {
    taken.ghosts = localize(context_.comm, *all, taken.found.columns);
  }
  return taken;
}

PlannedMapping MappingPlanner::plan_read(std::size_t use, std::vector<char>& needed) {
  PlannedMapping planned;
  planned.use = &relation_.uses[use];
  auto [found, late, ghosts, awarded] = take(use);
  if (late) {
    for (const LocalIndex vertex : late->vertices()) {
      needed[static_cast<std::size_t>(vertex)] = 1;
    }
    planned.late.rows.emplace(LateRows{std::move(late)});
  }
  const mesh::Mesh& own = searches_.own_mesh(*planned.use);
  planned.late.system = searches_.system(use, received_.mesh);
  if (planned.use->searches_received || planned.use->solves()) { // consistent: a row per own vertex
    planned.rows = mapping::Rows(found.counts, std::move(found.columns), std::move(found.weights));
  } else { // conservative: each awarded vertex of the provider adds to the own vertices it found
    std::vector<mapping::Entry> entries;
    found.for_each([&entries](LocalIndex point, LocalIndex column, double weight) {
      entries.push_back({column, point, weight});
    });
    if (const GatheredMesh* all = searches_.gathered(*planned.use)) {
      entries = deliver(context_.comm, *all, entries);
    }
    planned.rows = mapping::Rows::from_entries(
        own.num_vertices() + (ghosts ? ghosts->halo.num_ghosts() : 0), entries);
    planned.rows.sort_by_place(relation_.dimensions, received_.mesh.coordinates());
    if (ghosts) {
      planned.handover = hand_to_owners(own.num_vertices(), ghosts->halo);
    }
  }
  if (planned.use->scaled()) {
    planned.to_measures = integrals_.at(use).own;
    planned.from_measures = only_at(searches_.share(received_.mesh), integrals_.at(use).received);
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
  const protocol::MappingUse& what = relation_.uses[use];
  PlannedMapping planned;
  planned.use = &what;
  planned.late.system = searches_.system(use, received_.mesh);
  planned.late.rows.emplace(contributions_of(use, planned.vertices));
  if (!what.is_late()) {
    make_written_rows(planned);
  }
  if (protocol::writes_alone(what, context_.comm.size())) {
    planned.routes = send_written(context_, received_.parts, planned.vertices);
  }
  if (what.scaled()) {
    planned.from_measures = integrals_.at(use).own;
    for (LocalIndex vertex : planned.vertices) {
      planned.to_measures.push_back(integrals_.at(use).received[static_cast<std::size_t>(vertex)]);
    }
  }
  return planned;
}

/// Who adds to what, and `vertices`: those that are written from here.
LateRows MappingPlanner::contributions_of(std::size_t use, std::vector<LocalIndex>& vertices) {
  const protocol::MappingUse& what = relation_.uses[use];
  Taken taken = take(use);
  const mapping::Interpolation& found = taken.found;
  LateRows late{std::move(taken.late)};
  Contributions& to = late.contributions.emplace(context_, relation_.dimensions, received_.parts,
                                                 searches_.own_mesh(what));
  if (taken.ghosts) {
    to.take(std::move(*taken.ghosts));
  }
  if (late.interpolation && !what.searches_received) { // those that ask: all, on one rank
    for (LocalIndex i = 0; i < received_.mesh.num_vertices(); ++i) {
      if (taken.awarded.empty() || taken.awarded[static_cast<std::size_t>(i)] > 0) {
        to.name(i);
      }
    }
  } else if (late.interpolation) {
    for (const LocalIndex vertex : late.interpolation->vertices()) {
      to.name(vertex);
    }
  } else if (what.searches_received || what.solves()) { // conservative
    for (const LocalIndex vertex : found.columns) {
      to.name(vertex);
    }
    to.add(found);
  } else { // consistent: vertex i of the provider takes what it has found
    for (std::size_t i = 0; i < found.counts.size(); ++i) {
      if (found.counts[i] > 0) {
        to.name(static_cast<LocalIndex>(i));
      }
    }
    to.add_taken(found);
  }
  vertices = to.vertices(what);
  return late;
}

void mark_written(const protocol::MeshRelation& relation, std::span<const PlannedMapping> mappings,
                  std::vector<char>& needed) {
  const auto writes = [](const PlannedMapping& mapping) { return mapping.use->writes; };
  if (!relation.reads_what_it_writes || std::all_of(mappings.begin(), mappings.end(), writes)) {
    return;
  }
  for (const PlannedMapping& mapping : mappings) {
    if (writes(mapping)) {
      transfer::mark(mapping.vertices, needed);
    }
  }
}

Ghosts number_ghosts(std::span<const transfer::Part> parts, const std::vector<char>& needed) {
  Ghosts ghosts;
  ghosts.of_vertex.assign(needed.size(), -1);
  for (const transfer::Part& part : parts) {
    ghosts.positions.push_back(transfer::marked_positions(part, needed));
    for (const LocalIndex position : ghosts.positions.back()) {
      ghosts.of_vertex[static_cast<std::size_t>(part.first + position)] = ghosts.count++;
    }
  }
  return ghosts;
}

void read_ghosts(const Ghosts& ghosts, PlannedMapping& mapping) {
  if (mapping.late.rows) {
    mapping.late.rows->ghosts = ghosts.of_vertex;
  }
  for (LocalIndex& column : mapping.rows.columns()) {
    column = ghosts.of_vertex[static_cast<std::size_t>(column)];
  }
  const std::vector<double> measures = std::exchange(mapping.from_measures, {});
  mapping.from_measures.resize(measures.empty() ? 0 : static_cast<std::size_t>(ghosts.count));
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (ghosts.of_vertex[i] >= 0) {
      mapping.from_measures[static_cast<std::size_t>(ghosts.of_vertex[i])] = measures[i];
    }
  }
}

GhostUsers::GhostUsers(const Ghosts& ghosts, std::span<const PlannedMapping> mappings)
    : of_vertex_(ghosts.of_vertex), num_users_(ghosts.of_vertex.size(), 0) {
  std::vector<std::int32_t> of_ghost(static_cast<std::size_t>(ghosts.count), 0);
  for (const PlannedMapping& mapping : mappings) {
    for (const LocalIndex column : mapping.rows.columns()) {
      ++of_ghost[static_cast<std::size_t>(column)];
    }
  }
  for (std::size_t v = 0; v < of_vertex_.size(); ++v) {
    if (of_vertex_[v] >= 0) {
      num_users_[v] = of_ghost[static_cast<std::size_t>(of_vertex_[v])];
    }
  }
}

bool GhostUsers::update(
    std::span<const std::vector<mapping::MovingNearest::Change>* const> changes) {
  for (const auto* of_use : changes) {
    for (const auto& change : *of_use) {
      --num_users_[static_cast<std::size_t>(change.before)];
      ++num_users_[static_cast<std::size_t>(change.now)];
    }
  }
  return std::all_of(changes.begin(), changes.end(), [this](const auto* of_use) {
    return std::all_of(of_use->begin(), of_use->end(), [this](const auto& change) {
      return num_users_[static_cast<std::size_t>(change.before)] != 0 && ghost(change.now) >= 0;
    });
  });
}

HeldMesh make_held_mesh(const mesh::Mesh& transferred, const Ghosts& ghosts,
                        std::span<const PlannedMapping> mappings,
                        std::span<const double> measures) {
  std::vector<LocalIndex> numbers = ghosts.of_vertex; // -1: not held
  for (const PlannedMapping& mapping : mappings) {
    for (const LocalIndex vertex : mapping.vertices) {
      numbers[static_cast<std::size_t>(vertex)] = 0;
    }
  }
  HeldMesh held;
  held.read.resize(static_cast<std::size_t>(ghosts.count));
  std::vector<LocalIndex> vertices; // that are held
  for (LocalIndex v = 0; v < transferred.num_vertices(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (numbers[at] >= 0) {
      const auto next = static_cast<LocalIndex>(vertices.size());
      vertices.push_back(v);
      if (ghosts.of_vertex[at] >= 0) {
        held.read[static_cast<std::size_t>(ghosts.of_vertex[at])] = next;
      }
      if (!measures.empty()) {
        held.measures.push_back(measures[at]);
      }
      numbers[at] = next;
    }
  }
  for (const PlannedMapping& mapping : mappings) {
    std::vector<LocalIndex>& written = held.written.emplace_back();
    for (const LocalIndex vertex : mapping.vertices) {
      written.push_back(numbers[static_cast<std::size_t>(vertex)]);
    }
  }
  held.mesh = mesh::Mesh(transferred.name(), transferred.dimensions(),
                         mesh::coordinates_of(transferred, vertices),
                         held_elements(transferred.edges(), 2, numbers),
                         held_elements(transferred.triangles(), 3, numbers),
                         held_elements(transferred.tetrahedra(), 4, numbers));
  return held;
}

std::vector<char> receive_marks(partner::Context& context, std::span<const Route> routes) {
  std::vector<char> marks;
  for (const Route& route : routes) {
    const auto count = static_cast<std::size_t>(route.count);
    const auto of_route = protocol::receive<protocol::ReadByLower>(context, route.link, count);
    marks.insert(marks.end(), of_route.list.begin(), of_route.list.end());
  }
  return marks;
}

void make_written_rows(PlannedMapping& mapping) {
  if (mapping.late.rows && mapping.late.rows->contributions) {
    Contributions::Result result = mapping.late.rows->contributions->finish();
    mapping.rows = std::move(result.rows);
    mapping.halo = std::move(result.halo);
    mapping.late.rows.reset();
  }
}

} // namespace isthmus::planning
