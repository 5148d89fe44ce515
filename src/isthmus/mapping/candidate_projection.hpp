// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/search/candidates.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <span>
#include <vector>

namespace isthmus::mapping {

/// Projects as preCICE does: onto the closest of four triangles (3D), else of four edges, both no
/// farther than the nearest vertex, else onto that vertex. The sides of cells take part.
class CandidateProjection {
 public:
  /// `mesh` has a vertex and must outlive the object.
  CandidateProjection(const mesh::Mesh& mesh, geometry::Ties ties);

  void project(std::span<const double> points, std::span<geometry::Projection> out) const;

 private:
  int dimensions_;
  geometry::PointIndex vertices_;
  std::vector<geometry::Candidates> stages_;
};

/// Candidates are numbered, or not.
[[nodiscard]] geometry::Ties ties_of(Outside outside);

/// A triangle that has not come yet, but is not farther than the nearest vertex, may win over an
/// edge that is closer: sets `needed2` of what was found among candidates.
void note_needed(const mesh::Mesh& mesh, std::span<const double> points, Interpolation& result);

} // namespace isthmus::mapping
