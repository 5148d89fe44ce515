// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/elements.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/protocol/messages.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// What `found` on `own` is worth, by vertex that searched.
[[nodiscard]] std::vector<protocol::Claim> claims_of(const mesh::Mesh& own,
                                                     const mapping::Interpolation& found);

/// Elements of `own` with what the provider has to know of them.
[[nodiscard]] protocol::CandidateElements candidates_of(
    const mesh::Mesh& own, std::span<const geometry::Element> elements);

/// Of what was found for a use what was awarded, at the place that the provider has chosen where it
/// has. `choices` in the order of the vertices, on `own`.
[[nodiscard]] mapping::Interpolation keep_awarded(const mapping::Interpolation& found,
                                                  std::span<const protocol::Award> awards,
                                                  std::span<const geometry::Projection> choices,
                                                  const mesh::Mesh& own);

} // namespace isthmus::planning
