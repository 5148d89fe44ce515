// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/mapping.hpp"

#include "isthmus/mesh/mesh.hpp"

#include <limits>

namespace isthmus::mapping {

Interpolation Interpolation::of_nothing(std::size_t num_points) {
  Interpolation result;
  result.counts.assign(num_points, 0);
  result.distances2.assign(num_points, std::numeric_limits<double>::infinity());
  return result;
}

Interpolation Mapping::onto(const mesh::Mesh& asking) const {
  return interpolate(asking.coordinates());
}

std::unique_ptr<LateInterpolation> Mapping::later(const mesh::Mesh& /*asking*/) const {
  return nullptr;
}

std::vector<geometry::Element> Mapping::candidates(std::span<const double>) const {
  return {};
}

std::unique_ptr<DistributedMapping> Mapping::distribute(const comm::Comm&,
                                                        std::span<const double>) const {
  return nullptr;
}

} // namespace isthmus::mapping
