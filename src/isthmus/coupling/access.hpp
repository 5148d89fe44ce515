// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <string>

namespace isthmus::coupling {

// Direct access: the solver works on the vertices of a received mesh that lie in its region. They
// form a mesh of its own, and each vertex of it is found at itself.

/// Two opposite corners of a region; no vertex for an empty one and for all of space.
[[nodiscard]] mesh::Mesh corners(const std::string& mesh, int dimensions,
                                 const geometry::Box& region);

/// Appends the vertices of `received` in the region to `accessed`; says where each came from.
[[nodiscard]] mapping::Interpolation find_in(const geometry::Box& region,
                                             const mesh::Mesh& received, mesh::Mesh& accessed);

} // namespace isthmus::coupling
