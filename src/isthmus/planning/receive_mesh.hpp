// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/received_plan.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/planning/search/searches.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/displacement.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::planning {

/// What the receiver remembers of a plan, for the next one.
struct ReceptionMemory {
  transfer::TransferredMesh received;
  std::vector<geometry::Box> region;                       // where vertices matter to this rank
  std::map<std::string, std::vector<geometry::Box>> boxes; // around own meshes, if of several ranks
  double margin = 0;
  transfer::Displacement displacement;
  SearchMemory searches;
  std::vector<protocol::Read> read; // by part
  GhostUsers users;
};

/// The receiver's side of a relation.
struct ReceivedRelation {
  const protocol::MeshRelation* relation = nullptr;
  ReceivedPlan plan;
  std::optional<ReceptionMemory> memory; // where plan_is_remembered(): of `plan`
  bool is_new = true; // the plan: fields on the mesh have other vertices, and have not got them yet
};

/// Collective, together with provide_mesh() on the provider's side. Makes the plan, of the last one
/// where both sides remember it. Error on all ranks of both sides if vertices look for their place
/// on a mesh without any.
void receive_mesh(partner::Connection& provider, const Inputs& inputs, ReceivedRelation& received);

/// Notes which vertices of own meshes have moved since the last plan, of those that are reset.
/// `several`: this participant has more ranks than this one.
void note_changes(ReceivedRelation& received, const mesh::OwnMeshes& meshes,
                  std::span<const std::string> reset, bool several, transfer::Changes& changes);

/// Plans again with those who provide the mesh to this rank, where something has moved in its
/// region and the changes are small; nobody else takes part. Makes the plan of the last one, and
/// returns the links on which other values than before travel. `comes`: the provider has reset the
/// mesh and says in `bundles` what has moved; who needs what is put there.
[[nodiscard]] std::set<transport::LinkId> plan_small_changes(partner::Connection& provider,
                                                             const Inputs& inputs,
                                                             ReceivedRelation& received, bool comes,
                                                             transfer::Bundles& bundles);

} // namespace isthmus::planning
