// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh_share.hpp"
#include "isthmus/comm/comm.hpp"

namespace isthmus::convection {

/// Collective. Adds the outer faces that are in no group to the group `others_name`, so that they
/// need a condition like all others. Nodes of the share are positions.
void add_others(const comm::Comm& comm, MeshShare& share);

} // namespace isthmus::convection
