// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/planning/search/margin.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <vector>

namespace isthmus::planning {

// Some mappings have to know something of the whole mesh, for example how dense its vertices are,
// and search a part of it then. The provider finds that out, and both sides look at least as far as
// it says. All this happens where surveys_are_sent().

/// Collective over both participants.
void send_surveys(partner::Connection& receiver, const protocol::MeshRelation& relation,
                  const mesh::Mesh& own, const MappingFactory* mappings, Margin& margin);
/// Collective over both participants. By use what is known of the mesh.
[[nodiscard]] std::vector<protocol::Survey> receive_surveys(partner::Connection& provider,
                                                            const protocol::MeshRelation& relation,
                                                            Margin& margin);

/// A box around which a use that is surveyed searches, with all that lies above and below along
/// axes whose coordinates do not count.
[[nodiscard]] geometry::Box along_dead_axes(geometry::Box box, const protocol::MappingUse& use,
                                            const Margin& margin);

} // namespace isthmus::planning
