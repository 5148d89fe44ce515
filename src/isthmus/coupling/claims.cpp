// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/claims.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/wire.hpp"

#include <algorithm>
#include <cmath>

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

double farthest(const std::vector<std::vector<Claim>>& claims) {
  double farthest2 = 0;
  for (const std::vector<Claim>& of_use : claims) {
    for (const Claim& claim : of_use) {
      farthest2 = std::max(farthest2, claim.distance2);
    }
  }
  return std::sqrt(farthest2);
}

std::vector<std::vector<char>> receive_awards(Context& context, const MeshRelation& relation,
                                              const TransferredMesh& received) {
  std::vector<std::vector<char>> awarded(relation.uses.size());
  if (!relation.has_claims() || context.comm.size() == 1) {
    return awarded;
  }
  for (std::size_t u = 0; u < relation.uses.size(); ++u) {
    if (relation.uses[u].claims()) {
      awarded[u].resize(static_cast<std::size_t>(received.mesh.num_vertices()), 0);
    }
  }
  for (const Part& part : received.parts) {
    const auto bytes = context.hub.receive(part.link, comm::Kind::plan, context.patience);
    comm::Reader reader(bytes);
    for (std::size_t u = 0; u < relation.uses.size(); ++u) {
      if (relation.uses[u].claims()) {
        const auto won = reader.get_array<char>();
        check(won.size() == static_cast<std::size_t>(part.count),
              "a message of awards is too short");
        std::copy(won.begin(), won.end(), awarded[u].begin() + part.first);
      }
    }
  }
  return awarded;
}

} // namespace isthmus::coupling
