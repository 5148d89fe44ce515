// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/claims.hpp"

namespace isthmus::coupling {

std::vector<Claim> claims_of(const mapping::Interpolation& found, const mesh::Mesh& own) {
  std::vector<Claim> result(found.num_points());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = {found.distances2[i], {}};
    if (found.counts[i] > 0) {
      result[i].corner = geometry::point_at(own.dimensions(), own.coordinates(),
                                            static_cast<std::size_t>(found.columns[entry]));
    }
    entry += static_cast<std::size_t>(found.counts[i]);
  }
  return result;
}

} // namespace isthmus::coupling
