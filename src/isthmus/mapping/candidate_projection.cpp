// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/candidate_projection.hpp"

#include "isthmus/geometry/faces.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>

namespace isthmus::mapping {

CandidateProjection::CandidateProjection(const mesh::Mesh& mesh, geometry::Ties ties)
    : dimensions_(mesh.dimensions()), vertices_(mesh.dimensions(), mesh.coordinates()) {
  std::vector<LocalIndex> faces = geometry::faces_of(mesh.tetrahedra(), geometry::Faces::all);
  faces.insert(faces.end(), mesh.triangles().begin(), mesh.triangles().end());
  if (dimensions_ == 3) {
    stages_.emplace_back(dimensions_, mesh.coordinates(), faces, 3, ties);
  }
  stages_.emplace_back(dimensions_, mesh.coordinates(), geometry::all_edges(mesh.edges(), faces), 2,
                       ties);
}

void CandidateProjection::project(std::span<const double> points,
                                  std::span<geometry::Projection> out) const {
  std::vector<LocalIndex> ids(out.size());
  std::vector<double> distances2(out.size());
  vertices_.nearest(points, ids, distances2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const geometry::Point point = geometry::point_at(dimensions_, points, i);
    out[i] = {{1, 0, 0}, distances2[i], {ids[i], -1, -1}, 1};
    for (const geometry::Candidates& stage : stages_) {
      if (const auto found = stage.project(point, distances2[i]); found.size > 0) {
        out[i] = found;
        break;
      }
    }
  }
}

geometry::Ties ties_of(Outside outside) {
  return outside == Outside::numbered_candidates ? geometry::Ties::by_number
                                                 : geometry::Ties::by_place;
}

void note_needed(const mesh::Mesh& mesh, std::span<const double> points, Interpolation& result) {
  result.needed2 = result.distances2;
  std::size_t entry = 0;
  for (std::size_t i = 0; i < result.num_points(); ++i) {
    const auto size = static_cast<std::size_t>(result.counts[i]);
    if (mesh.dimensions() == 3 && size == 2) {
      for (std::size_t k = 0; k < size; ++k) {
        const auto vertex = static_cast<std::size_t>(result.columns[entry + k]);
        result.needed2[i] = std::max(result.needed2[i],
                                     distance2(geometry::point_at(3, points, i),
                                               geometry::point_at(3, mesh.coordinates(), vertex)));
      }
    }
    entry += size;
  }
}

} // namespace isthmus::mapping
