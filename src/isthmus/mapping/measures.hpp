// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::mapping {

/// Elements over which to integrate: edges (2D) and triangles (3D), or triangles and tetrahedra.
enum class Extent { surface, volume };

/// The length, area or volume that belongs to each vertex: its share of the elements around it. The
/// sum of values times measures is the integral of the linear interpolation. Elements that bound a
/// larger one count, each once.
[[nodiscard]] std::vector<double> vertex_measures(const mesh::Mesh& mesh, Extent extent);

} // namespace isthmus::mapping
