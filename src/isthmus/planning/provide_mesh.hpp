// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/recipient.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/changes.hpp"
#include "isthmus/transfer/displacement.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <optional>
#include <set>
#include <vector>

namespace isthmus::planning {

/// The provider's part of a mesh relation: which of its vertices each partner rank reads, and which
/// it writes through each of the receiver's write mappings.
struct ProvidedPlan {
  std::vector<Route> read;
  std::vector<std::vector<Route>> write; // by position in MeshRelation::uses; empty for reads
};

/// What the provider remembers of a plan, for the next one.
struct ProvisionMemory {
  transfer::RememberedMesh mesh;
  std::vector<geometry::Box> boxes; // around its vertices, where several ranks receive
  double reach = 0;                 // of its elements from their vertices, where they travel
  double margin = 0;
  transfer::Displacement displacement;
  std::vector<Recipient> recipients;
};

/// The provider's side of a relation.
struct ProvidedRelation {
  const protocol::MeshRelation* relation = nullptr;
  ProvidedPlan plan;
  std::optional<ProvisionMemory> memory; // where plan_is_remembered(): of `plan`
};

/// Collective, together with receive_mesh() on the receiver's side. Makes the plan, of the last one
/// where both sides remember it. `mappings` survey the mesh where a mapping of the receiver needs
/// that; null: none does.
void provide_mesh(partner::Connection& receiver, const mesh::Mesh& mesh, ProvidedRelation& provided,
                  const MappingFactory* mappings = nullptr);

/// Notes which vertices have moved since the last plan; `several`: the receiver has several ranks.
void note_changes(ProvidedRelation& provided, const mesh::Mesh& mesh, bool several,
                  transfer::Changes& changes);

/// Sends what they need to know of this mesh to those ranks of the receiver in whose region
/// something has moved, where the changes are small.
void put_changes(ProvidedRelation& provided, const mesh::Mesh& mesh,
                 const transfer::Renewal& renewal, transfer::Bundles& bundles);

/// Takes what they read now, their answers. Changes the plan, and returns the links on which other
/// values than before travel.
[[nodiscard]] std::set<transport::LinkId> take_reads(ProvidedRelation& provided,
                                                     const mesh::Mesh& mesh,
                                                     const transfer::Renewal& renewal,
                                                     transfer::Bundles& bundles);

} // namespace isthmus::planning
