// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/connection.hpp"
#include "isthmus/coupling/mesh_relation.hpp"
#include "isthmus/coupling/route.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <vector>

namespace isthmus::coupling {

/// The provider's part of a mesh relation: which of its vertices each partner rank reads, and which
/// it writes through each of the receiver's write mappings.
struct ProvidedPlan {
  std::vector<Route> read;
  std::vector<std::vector<Route>> write; // by position in MeshRelation::uses; empty for reads
};

/// Collective, together with receive_mesh() on the receiver's side.
[[nodiscard]] ProvidedPlan provide_mesh(Connection& receiver, const MeshRelation& relation,
                                        const mesh::Mesh& mesh);

} // namespace isthmus::coupling
