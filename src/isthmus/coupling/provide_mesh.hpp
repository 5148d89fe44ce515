// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/connection.hpp"
#include "isthmus/coupling/mesh_relation.hpp"
#include "isthmus/coupling/route.hpp"
#include "isthmus/coupling/selection.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <optional>
#include <vector>

namespace isthmus::coupling {

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
  struct Partner {
    int rank = 0;
    comm::LinkId link = -1;
    std::vector<geometry::Box> region;
    Selection selection;
    std::vector<LocalIndex> read; // positions in the selection
  };
  std::vector<Partner> partners;
};

/// Collective, together with receive_mesh() on the receiver's side. `memory` is null where nothing
/// is remembered, on both sides; else it is of the plan `last`, if there was one, and then of this.
[[nodiscard]] ProvidedPlan provide_mesh(Connection& receiver, const MeshRelation& relation,
                                        const mesh::Mesh& mesh,
                                        std::optional<ProvisionMemory>* memory, ProvidedPlan last);

} // namespace isthmus::coupling
