// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/mesh.hpp"

#include <vector>

namespace isthmus::mesh {

/// 3 with tetrahedra, else 2 with triangles, 1 with edges, 0 with vertices alone.
[[nodiscard]] int cell_dimension(const Mesh& mesh);

/// Volume, area or length around each vertex: its share, the same for all corners, of the cells of
/// one dimension. Their sum is the measure of the mesh.
[[nodiscard]] std::vector<double> vertex_measures(const Mesh& mesh, int dimension);

/// Elements over which to integrate: edges (2D) and triangles (3D), or triangles and tetrahedra.
enum class Extent { surface, volume };

/// The same for the elements of an extent, among them those that bound a larger one, each once. The
/// sum of values times measures is the integral of the linear interpolation.
[[nodiscard]] std::vector<double> vertex_measures(const Mesh& mesh, Extent extent);

} // namespace isthmus::mesh
