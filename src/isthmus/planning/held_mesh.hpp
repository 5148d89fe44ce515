// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/planning/receive_mesh.hpp"

#include <span>

namespace isthmus::planning {

/// Of a transferred mesh what the plan reads or writes. `reads`: the number of each vertex among
/// the copies that are read, -1 for the others; `plan` still says which vertices are written.
/// `measures`: of each vertex, or empty.
[[nodiscard]] HeldMesh hold(const mesh::Mesh& transferred, std::span<const LocalIndex> reads,
                            const ReceivedPlan& plan, std::span<const double> measures);

} // namespace isthmus::planning
