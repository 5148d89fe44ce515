// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/displacement.hpp"
#include "isthmus/transfer/mesh_relation.hpp"
#include "isthmus/transfer/selection.hpp"

#include <functional>
#include <optional>
#include <set>
#include <span>
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
  mesh::Mesh mesh;
  std::vector<geometry::Box> boxes; // around its vertices
  double reach = 0;                 // of its elements from their vertices, where they travel
  double margin = 0;
  transfer::Displacement displacement;
  std::vector<LocalIndex> moved; // noted, not sent yet
  transfer::Origins origins;
  struct Partner {
    int rank = 0;
    transport::LinkId link = -1;
    std::vector<geometry::Box> region;
    transfer::Selection selection;
    std::vector<LocalIndex> read; // positions in the selection
    bool is_new = false;          // other vertices than in the last plan
  };
  std::vector<Partner> partners;
};

/// Collective, together with receive_mesh() on the receiver's side. `memory` is null where nothing
/// is remembered, on both sides; else it is of the plan `last`, if there was one, and then of this.
[[nodiscard]] ProvidedPlan provide_mesh(partner::Connection& receiver,
                                        const transfer::MeshRelation& relation,
                                        const mesh::Mesh& mesh,
                                        std::optional<ProvisionMemory>* memory, ProvidedPlan last);

/// Notes which vertices have moved since the last plan; `several`: the receiver has several ranks.
void note_changes(ProvisionMemory& memory, const transfer::MeshRelation& relation,
                  const mesh::Mesh& mesh, bool several, transfer::Changes& changes);

/// Whether something has moved in a region.
using Concerns = std::function<bool(std::span<const geometry::Box>)>;

/// Tells those ranks of the receiver in whose region something has moved, where the changes are
/// small, what they need to know of this mesh.
void put_changes(const transfer::MeshRelation& relation, const mesh::Mesh& mesh,
                 ProvisionMemory& memory, const Concerns& concerns, transfer::Bundles& bundles);

/// Takes their answers, what they need now. Changes the plan, and adds the links on which other
/// values than before travel to `changed`.
void take_answers(const mesh::Mesh& mesh, ProvisionMemory& memory, ProvidedPlan& plan,
                  const Concerns& concerns, transfer::Bundles& bundles,
                  std::set<transport::LinkId>& changed);

} // namespace isthmus::planning
