// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/messages.hpp"

namespace isthmus::planning {

bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.has_claims();
}

bool owners_matter(const transfer::MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.writes && use.searches_received && !use.solves();
}

bool copies_are_marked(const transfer::MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.is_measured;
}

} // namespace isthmus::planning
