// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/contest/contest.hpp"
#include "isthmus/planning/recipient.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <span>

namespace isthmus::planning {

// Where claims_compete(), both sides find out which rank of the receiver places which
// vertex of the provider: the messages between the transfer of the mesh and what is written.

/// The receiver says what it has found.
void send_claims(partner::Context& context, const protocol::MeshRelation& relation,
                 const transfer::TransferredMesh& received, const Searches& searches);

/// The provider compares what the ranks of the receiver have found.
void run_contest(partner::Context& context, const protocol::MeshRelation& relation,
                 const mesh::Mesh& mesh, std::span<const Recipient> recipients, Contest& contest);

/// And says who has won.
void send_awards(partner::Context& context, const protocol::MeshRelation& relation,
                 std::span<const Recipient> recipients, const Contest& contest);

/// What this rank has won, in the order of the received vertices.
[[nodiscard]] protocol::Awards receive_awards(partner::Context& context,
                                              const protocol::MeshRelation& relation,
                                              std::span<const transfer::Part> parts);

} // namespace isthmus::planning
