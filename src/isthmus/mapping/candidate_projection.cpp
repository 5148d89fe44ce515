// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/candidate_projection.hpp"

#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/sides.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::mapping {

std::unique_ptr<geometry::Candidates> candidates_of(const mesh::Mesh& mesh, Outside outside) {
  const geometry::Ties ties = outside == Outside::numbered_candidates ? geometry::Ties::by_number
                                                                      : geometry::Ties::by_place;
  return std::make_unique<geometry::Candidates>(
      mesh.dimensions(), mesh.coordinates(), mesh.edges(),
      mesh::faces_and_triangles(mesh, geometry::Faces::all), ties);
}

void note_needed(const mesh::Mesh& mesh, std::span<const double> points, bool may_move,
                 Interpolation& result) {
  result.needed2 = result.distances2;
  const int dimensions = mesh.dimensions();
  std::size_t entry = 0;
  for (std::size_t i = 0; i < result.num_points(); ++i) {
    const auto size = static_cast<std::size_t>(result.counts[i]);
    if (size > 0 && (may_move || (dimensions == 3 && size == 2))) {
      double nearest2 = std::numeric_limits<double>::infinity();
      for (std::size_t k = entry; k < entry + size; ++k) {
        const auto vertex = static_cast<std::size_t>(result.columns[k]);
        nearest2 = std::min(nearest2,
                            distance2(geometry::point_at(dimensions, points, i),
                                      geometry::point_at(dimensions, mesh.coordinates(), vertex)));
      }
      result.needed2[i] = std::max(result.needed2[i], nearest2);
    }
    entry += size;
  }
}

} // namespace isthmus::mapping
