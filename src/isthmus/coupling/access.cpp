// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/access.hpp"

#include <vector>

namespace isthmus::coupling {

mesh::Mesh corners(const std::string& mesh, int dimensions, const geometry::Box& region) {
  mesh::Mesh corners(mesh, dimensions);
  if (!region.empty() && geometry::finite(region.lo) && geometry::finite(region.hi)) {
    std::vector<double> places(region.lo.begin(), region.lo.begin() + dimensions);
    places.insert(places.end(), region.hi.begin(), region.hi.begin() + dimensions);
    corners.add_vertices(places);
  }
  return corners;
}

mapping::Interpolation find_in(const geometry::Box& region, const mesh::Mesh& received,
                               mesh::Mesh& accessed) {
  mapping::Interpolation found;
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    const auto place = received.vertex(v);
    if (region.contains(geometry::point_at(received.dimensions(), place, 0))) {
      accessed.add_vertices(place);
      found.columns.push_back(v);
    }
  }
  found.counts.assign(found.columns.size(), 1);
  found.weights.assign(found.columns.size(), 1.0);
  found.distances2.assign(found.columns.size(), 0.0);
  return found;
}

} // namespace isthmus::coupling
