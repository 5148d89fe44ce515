// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/sequence.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <span>
#include <vector>

namespace isthmus::transfer {

// Where a mapping solves a system or integrates over all vertices, each rank of the receiver gets
// an equal share of the provided vertices by their number, those of rank 0 first, whatever their
// place.

/// Boxes on an axis of numbers, by which partners find each other: they meet where shares do.
[[nodiscard]] std::vector<geometry::Box> number_boxes(const Share& share);

/// Adds to a selection the vertices whose numbers lie in the boxes; the first of the mesh has the
/// number `first`. Returns their positions.
protocol::Stretch add_share(const mesh::Mesh& mesh, GlobalIndex first,
                            std::span<const geometry::Box> boxes, Selection& selection);

} // namespace isthmus::transfer
