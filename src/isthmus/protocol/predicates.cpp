// SPDX-License-Identifier: BSD-3-Clause
// Which messages a relation needs.
#include "isthmus/config/config.hpp"
#include "isthmus/protocol/messages.hpp"

#include <algorithm>

namespace isthmus::protocol {

namespace {

bool is_weighed_by(const MeshRelation& relation, Weighing what) {
  return what == Weighing::action ? relation.is_weighed
                                  : std::any_of(relation.uses.begin(), relation.uses.end(),
                                                [what](const MappingUse& use) {
                                                  return use.scaled() && weighing_of(use) == what;
                                                });
}

} // namespace

bool mappings_are_chosen(const MeshRelation& relation) {
  return std::any_of(relation.uses.begin(), relation.uses.end(),
                     [](const MappingUse& use) { return use.is_automatic(); });
}

bool margin_has_limit(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && !relation.sends_everything() && relation.sends_regions() &&
         relation.initialization != config::Initialization::one_level;
}

bool surveys_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return margin_has_limit(relation, receiver_ranks) &&
         std::any_of(relation.uses.begin(), relation.uses.end(),
                     [](const MappingUse& use) { return use.is_surveyed(); });
}

bool shares_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.sends_shares();
}

bool regions_are_sent(const MeshRelation& relation, int receiver_ranks) {
  return !shares_are_sent(relation, receiver_ranks) || relation.sends_regions();
}

bool share_is_named(const MeshRelation& relation, int receiver_ranks) {
  return shares_are_sent(relation, receiver_ranks) && regions_are_sent(relation, receiver_ranks);
}

Weighing weighing_of(const MappingUse& use) {
  return use.mapping->constraint == config::Constraint::scaled_consistent_volume
             ? Weighing::volume
             : Weighing::surface;
}

std::vector<Weighing> weighings_of(const MeshRelation& relation) {
  std::vector<Weighing> weighings;
  for (const Weighing what : {Weighing::surface, Weighing::volume, Weighing::action}) {
    if (is_weighed_by(relation, what)) {
      weighings.push_back(what);
    }
  }
  return weighings;
}

bool measures_are_sent(const MeshRelation& relation) {
  return !weighings_of(relation).empty();
}

bool whole_mesh_is_dealt(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.initialization == config::Initialization::one_level;
}

bool claims_compete(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.has_claims();
}

bool speaks_for_others(const MeshRelation& relation, std::size_t use) {
  return relation.uses[use].claims() && relation.first_alike(use) == use;
}

bool candidates_are_joined(const MeshRelation& relation, std::size_t use) {
  return relation.uses[use].has_candidates() && speaks_for_others(relation, use);
}

bool contested_are_sent(const MeshRelation& relation) {
  bool are_joined = false;
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    are_joined = are_joined || candidates_are_joined(relation, u);
  }
  return are_joined && relation.initialization != config::Initialization::one_level;
}

bool owners_matter(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.writes && use.searches_received && !use.solves();
}

bool vertices_are_joined(const MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.is_joined;
}

bool vertices_are_joined(const MeshRelation& relation, int receiver_ranks) {
  return std::any_of(relation.uses.begin(), relation.uses.end(), [receiver_ranks](const auto& use) {
    return vertices_are_joined(use, receiver_ranks);
  });
}

bool writes_alone(const MappingUse& use, int receiver_ranks) {
  return use.writes && !vertices_are_joined(use, receiver_ranks);
}

bool ghosts_are_marked(const MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.is_measured;
}

bool plan_is_remembered(const MeshRelation& relation) {
  constexpr int several = 2; // ranks of the receiver; one could do with less
  const bool has_parts = !whole_mesh_is_dealt(relation, several); // 2, of which changes can be said
  const bool is_placed_by_itself = !claims_compete(relation, several); // no 3, no 4
  return relation.may_change && has_parts && is_placed_by_itself && !relation.is_weighed &&
         !relation.uses.empty() &&
         std::all_of(relation.uses.begin(), relation.uses.end(), [](const MappingUse& use) {
           const bool only_reads = !use.writes; // no 5, 6, 7
           // the last search can be gone on from: of own vertices one by one
           const bool goes_on =
               use.searches_received && !use.direct && !use.gathers() && !use.solves();
           return only_reads && goes_on && !use.scaled(); // no Measured
         });
}

bool changes_may_be_small(const MeshRelation& relation) {
  return plan_is_remembered(relation) && !relation.is_measured; // no 9
}

} // namespace isthmus::protocol
