// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::mapping {

/// For each of some points the vertices of a mesh and their weights: `counts[i]` entries of point i
/// follow each other in `columns` and `weights`, ordered by vertex coordinates so that a sum over
/// them has the same bits however the mesh is distributed.
struct Interpolation {
  std::vector<LocalIndex> counts;
  std::vector<LocalIndex> columns; // vertices of the mesh
  std::vector<double> weights;
  std::vector<double> distances2; // squared distance from each point to what it was mapped to

  [[nodiscard]] std::size_t num_points() const { return counts.size(); }
};

/// One way to interpolate from the part of a mesh at hand to points. Local, serial.
class Mapping {
 public:
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  virtual ~Mapping() = default;

  /// Weights for `points` (interleaved coordinates). Where the mesh is empty, points get no entries
  /// and an infinite distance.
  [[nodiscard]] virtual Interpolation interpolate(std::span<const double> points) const = 0;
};

/// The nearest vertex; ties go to the smallest coordinates. `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_neighbor(const mesh::Mesh& mesh);

/// The nearest vertex and its gradient: 1 + dimensions entries per point with the same column. The
/// first weighs the value of the vertex, the next ones its derivatives along x, y, z: with the way
/// from the vertex to the point.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_neighbor_gradient(const mesh::Mesh& mesh);

/// The closest point on triangles, edges and vertices, as weights of its corners.
/// Source: Totounferoush et al., Algorithms 14 (2021) 166, doi 10.3390/a14060166, section 3, there
/// with a few candidates per kind of element, here exact. Tetrahedra count as their faces.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_projection(const mesh::Mesh& mesh);

/// Linear in the triangle (2D) or tetrahedron (3D) around the point; outside of all the closest
/// point on them, on triangles, edges and vertices.
[[nodiscard]] std::unique_ptr<Mapping> make_linear_cell(const mesh::Mesh& mesh);

} // namespace isthmus::mapping
