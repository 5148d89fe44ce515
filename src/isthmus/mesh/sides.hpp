// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/faces.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <vector>

namespace isthmus::mesh {

/// The edges of a mesh, its triangles and its tetrahedra, each once, as pairs in ascending order.
[[nodiscard]] std::vector<LocalIndex> all_edges(const Mesh& mesh);

/// The triangles of a mesh and the faces of its tetrahedra, each once, as ascending triples.
[[nodiscard]] std::vector<LocalIndex> all_triangles(const Mesh& mesh);

/// The tetrahedra of a mesh, each once, as ascending quadruples.
[[nodiscard]] std::vector<LocalIndex> all_tetrahedra(const Mesh& mesh);

/// The faces of the tetrahedra of a mesh, all or those of the boundary, then its triangles: a
/// triangle that is also a face stands twice.
[[nodiscard]] std::vector<LocalIndex> faces_and_triangles(const Mesh& mesh, geometry::Faces which);

} // namespace isthmus::mesh
