// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/context.hpp"
#include "isthmus/planning/received_plan.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <span>

namespace isthmus::planning {

/// Collective, unless the log is silent. Rank 0 says how far the vertices of all ranks are from
/// their places, by use of the relation; nobody else waits for that.
void report_distances(const partner::Context& context, const protocol::MeshRelation& relation,
                      std::span<const Distances> own);

} // namespace isthmus::planning
