// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/protocol/messages.hpp"

#include <vector>

namespace isthmus::planning {

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find one. Each claims the vertex with what it found; the provider awards it.

/// What `found` on `own` is worth, by vertex that searched.
[[nodiscard]] std::vector<Claim> claims_of(const mesh::Mesh& own,
                                           const mapping::Interpolation& found);

/// The largest distance of claims, by use and vertex.
[[nodiscard]] double farthest(const std::vector<std::vector<Claim>>& claims);

} // namespace isthmus::planning
