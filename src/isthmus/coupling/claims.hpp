// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/connection.hpp"
#include "isthmus/coupling/mesh_relation.hpp"
#include "isthmus/coupling/mesh_transfer.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <cstdint>
#include <vector>

namespace isthmus::coupling {

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find one. Each claims the vertex with what it found; the provider awards it.

/// How well one rank of the receiver can place one vertex.
struct Claim {
  double distance2;       // to what was found; infinite if nothing was
  geometry::Point corner; // first vertex of what was found, decides between equal distances

  [[nodiscard]] bool better_than(const Claim& other) const {
    return distance2 != other.distance2 ? distance2 < other.distance2 : corner < other.corner;
  }
};

/// What `found` on `own` is worth, by vertex that searched.
[[nodiscard]] std::vector<Claim> claims_of(const mesh::Mesh& own,
                                           const mapping::Interpolation& found);

/// The largest distance of claims, by use and vertex.
[[nodiscard]] double farthest(const std::vector<std::vector<Claim>>& claims);

/// Which vertices of the provider this rank was awarded, per use; empty where all are.
[[nodiscard]] std::vector<std::vector<char>> receive_awards(Context& context,
                                                            const MeshRelation& relation,
                                                            const TransferredMesh& received);

/// Several ranks of the receiver contribute to one vertex: one of them, the owner, sums up.
struct Ownership {
  std::int32_t owner;  // rank of the receiver
  std::int32_t vertex; // number on the provider's rank
};

} // namespace isthmus::coupling
