// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/planned_mapping.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <span>

namespace isthmus::planning {

/// Collective over the receiver's ranks. Where vertices_are_joined(): the mappings that write hand
/// their values over in each step: those of a vertex to its owner. The provider learns who writes.
void join_vertices(partner::Context& context, std::span<const transfer::Part> parts,
                   std::span<PlannedMapping> mappings);

} // namespace isthmus::planning
