// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <vector>

namespace isthmus::geometry {

enum class Faces { all, boundary };

/// The triangles of tetrahedra (quadruples of vertices) as triples, each once; of the boundary
/// those that belong to one tetrahedron only. A tetrahedron that is given twice counts once.
[[nodiscard]] std::vector<LocalIndex> faces_of(std::span<const LocalIndex> tetrahedra, Faces which);

} // namespace isthmus::geometry
