// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mesh/mesh.hpp"

#include <vector>

namespace isthmus::mesh {

/// Of the elements over which a surface is integrated: 2 with triangles or tetrahedra in three
/// dimensions, else 1 with any elements, 0 with vertices alone.
[[nodiscard]] int surface_dimension(const Mesh& mesh);

/// Volume, area or length around each vertex: its share, the same for all corners, of the elements
/// of one dimension, among them those that bound a larger one, each once. Their sum is the measure
/// of the mesh, and that of values times measures the integral of the linear interpolation.
[[nodiscard]] std::vector<double> vertex_measures(const Mesh& mesh, int dimension);

/// Elements over which to integrate: edges (2D) and triangles (3D), or triangles and tetrahedra.
enum class Domain { surface, volume };

/// The same for the elements of a domain.
[[nodiscard]] std::vector<double> vertex_measures(const Mesh& mesh, Domain domain);

} // namespace isthmus::mesh
