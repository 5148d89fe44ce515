// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/contest/found.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>

namespace isthmus::planning {

std::vector<protocol::Claim> claims_of(const mesh::Mesh& own, const mapping::Interpolation& found) {
  std::vector<protocol::Claim> claims(found.num_points());
  std::size_t entry = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const double needed2 = found.needed2.empty() ? 0.0 : found.needed2[i];
    claims[i] = {std::max(found.distances2[i], needed2), {}};
    if (found.counts[i] > 0) {
      claims[i].corner = geometry::point_at(own.dimensions(), own.coordinates(),
                                            static_cast<std::size_t>(found.columns[entry]));
    }
    entry += static_cast<std::size_t>(found.counts[i]);
  }
  return claims;
}

protocol::CandidateElements candidates_of(const mesh::Mesh& own,
                                          std::span<const geometry::Element> elements) {
  protocol::CandidateElements result;
  for (const geometry::Element& element : elements) {
    for (const LocalIndex vertex : element) {
      if (vertex >= 0) {
        result.vertices.push_back(vertex);
      }
    }
  }
  sort_once(result.vertices);
  result.coordinates = mesh::coordinates_of(own, result.vertices);
  for (const geometry::Element& element : elements) {
    if (element[1] >= 0) {
      std::vector<LocalIndex>& corners = element[2] >= 0 ? result.triangles : result.edges;
      for (const LocalIndex vertex : element) {
        if (vertex >= 0) {
          corners.push_back(static_cast<LocalIndex>(
              std::lower_bound(result.vertices.begin(), result.vertices.end(), vertex) -
              result.vertices.begin()));
        }
      }
    }
  }
  return result;
}

mapping::Interpolation keep_awarded(const mapping::Interpolation& found,
                                    std::span<const protocol::Award> awards,
                                    std::span<const geometry::Projection> choices,
                                    const mesh::Mesh& own) {
  mapping::Interpolation kept;
  kept.counts.assign(found.counts.size(), 0);
  auto choice = choices.begin();
  std::ptrdiff_t entry = 0;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    const std::ptrdiff_t next = entry + found.counts[i];
    if (awards[i] == protocol::Award::as_claimed) {
      kept.counts[i] = found.counts[i];
      kept.columns.insert(kept.columns.end(), found.columns.begin() + entry,
                          found.columns.begin() + next);
      kept.weights.insert(kept.weights.end(), found.weights.begin() + entry,
                          found.weights.begin() + next);
    } else if (awards[i] == protocol::Award::as_chosen) {
      kept.counts[i] = choice->size;
      for (std::size_t k = 0; k < static_cast<std::size_t>(choice->size); ++k) {
        check(choice->vertex[k] >= 0 && choice->vertex[k] < own.num_vertices(),
              "a message of awards names a vertex that is not there");
        kept.columns.push_back(choice->vertex[k]);
        kept.weights.push_back(choice->weight[k]);
      }
      ++choice;
    }
    entry = next;
  }
  return kept;
}

} // namespace isthmus::planning
