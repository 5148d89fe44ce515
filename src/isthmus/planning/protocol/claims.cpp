// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/claims.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::planning {

std::vector<Claim> claims_of(const mesh::Mesh& own, const mapping::Interpolation& found) {
  std::vector<Claim> claims(found.num_points());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claims[i] = {found.distances2[i], {}};
    if (found.counts[i] > 0) {
      claims[i].corner = geometry::point_at(own.dimensions(), own.coordinates(),
                                            static_cast<std::size_t>(found.columns[entry]));
    }
    entry += static_cast<std::size_t>(found.counts[i]);
  }
  return claims;
}

double farthest(const std::vector<std::vector<Claim>>& claims) {
  double farthest2 = 0;
  for (const std::vector<Claim>& of_use : claims) {
    for (const Claim& claim : of_use) {
      farthest2 = std::max(farthest2, claim.distance2);
    }
  }
  return std::sqrt(farthest2);
}

} // namespace isthmus::planning
