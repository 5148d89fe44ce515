// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/claims.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

void Contest::begin() {
  const auto count = static_cast<std::size_t>(mesh_.num_vertices());
  best_.assign(relation_.uses.size(), {});
  winner_.assign(relation_.uses.size(), {});
  for (std::size_t u = 0; u < relation_.uses.size(); ++u) {
    if (relation_.uses[u].claims()) {
      best_[u].assign(count, {std::numeric_limits<double>::infinity(), {}});
      winner_[u].assign(count, -1);
    }
  }
}

void Contest::enter(int partner, const transfer::Selection& selection, Claims claims) {
  const auto by_use = std::move(claims).by_use(relation_, selection.num_vertices(mesh_));
  for (std::size_t u = 0; u < by_use.size(); ++u) {
    for (std::size_t i = 0; i < by_use[u].size(); ++i) {
      const auto vertex = static_cast<std::size_t>(selection.vertex(static_cast<LocalIndex>(i)));
      if (by_use[u][i].better_than(best_[u][vertex])) {
        best_[u][vertex] = by_use[u][i];
        winner_[u][vertex] = partner;
      }
    }
  }
}

double Contest::farthest() const {
  double farthest2 = 0;
  for (const std::vector<Claim>& of_use : best_) {
    for (const Claim& claim : of_use) {
      farthest2 = std::max(farthest2, claim.distance2);
    }
  }
  return std::sqrt(farthest2);
}

Awards Contest::awards(int partner, const transfer::Selection& selection) const {
  const LocalIndex count = selection.num_vertices(mesh_);
  std::vector<std::vector<char>> won(winner_.size());
  for (std::size_t u = 0; u < won.size(); ++u) {
    for (LocalIndex i = 0; relation_.uses[u].claims() && i < count; ++i) {
      won[u].push_back(winner_[u][static_cast<std::size_t>(selection.vertex(i))] == partner);
    }
  }
  return {relation_, won, 0, count};
}

} // namespace isthmus::planning
