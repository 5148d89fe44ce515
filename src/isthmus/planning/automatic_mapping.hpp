// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/mesh/own_meshes.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"

#include <deque>
#include <string>

namespace isthmus::planning {

// <mapping:auto>: what is known of both meshes chooses the kind, once, before the first plan. Both
// participants have the same facts, so they choose the same.

/// Collective.
[[nodiscard]] protocol::Facts facts_of(const comm::Comm& comm, const mesh::Mesh& mesh);

struct Choice {
  config::Mapping mapping; // of a kind of its own
  std::string reason;
};

/// For a mapping that is automatic.
[[nodiscard]] Choice choose(const config::Mapping& mapping, int dimensions,
                            const protocol::Facts& searched, const protocol::Facts& asking);

/// Collective over both participants. Chooses the automatic mappings of a relation and says why in
/// the receiver's log. `chosen` keeps what uses point to.
void choose_mappings(partner::Connection& partner, protocol::MeshRelation& relation, bool provides,
                     const mesh::OwnMeshes& meshes, std::deque<config::Mapping>& chosen);

} // namespace isthmus::planning
