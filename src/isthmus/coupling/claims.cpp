// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/claims.hpp"

namespace isthmus::coupling {

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

} // namespace isthmus::coupling
