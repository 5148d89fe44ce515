// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

namespace isthmus::planning {

// Direct access: the solver works on the vertices of a received mesh that lie in its region, and
// maps just in time from and to these and others around them. They form a mesh of its own, and each
// vertex of it is found at itself.

/// The part of a received mesh that the solver of one rank works with.
struct Accessed {
  mesh::Mesh mesh;           // the vertices in the region, then those around it
  LocalIndex num_inside = 0; // the solver sees the former only
};

/// What find_in() chose.
struct Found {
  Accessed accessed;
  mapping::Interpolation origins; // of each of these vertices in the received mesh
  double needed = 0;              // up to this distance from the region nothing may be missed
};

/// The vertices of `received` in the region and, as far as `around` says, around it. `alone`: the
/// participant has no other rank, so all of space belongs to the region's surroundings.
[[nodiscard]] Found find_in(const geometry::Box& region, const protocol::Surroundings& around,
                            bool alone, const mesh::Mesh& received);

/// Where received vertices matter for that, if what is not nearer than `margin` may be missed.
[[nodiscard]] geometry::Box box_around(geometry::Box region, const protocol::Surroundings& around,
                                       double margin);

} // namespace isthmus::planning
