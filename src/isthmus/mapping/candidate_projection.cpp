// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/candidate_projection.hpp"

#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/sides.hpp"

#include <algorithm>

namespace isthmus::mapping {

std::unique_ptr<geometry::Candidates> candidates_of(const mesh::Mesh& mesh, Outside outside) {
  const geometry::Ties ties = outside == Outside::numbered_candidates ? geometry::Ties::by_number
                                                                      : geometry::Ties::by_place;
  return std::make_unique<geometry::Candidates>(
      mesh.dimensions(), mesh.coordinates(), mesh.edges(),
      mesh::faces_and_triangles(mesh, geometry::Faces::all), ties);
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
