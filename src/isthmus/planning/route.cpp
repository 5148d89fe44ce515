// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/route.hpp"

#include <cstddef>

namespace isthmus::planning {

std::vector<LocalIndex> marked_positions(const transfer::Part& part, std::span<const char> marks) {
  std::vector<LocalIndex> positions;
  for (LocalIndex i = 0; i < part.count; ++i) {
    if (marks[static_cast<std::size_t>(part.first + i)] != 0) {
      positions.push_back(i);
    }
  }
  return positions;
}

std::vector<Route> routes_of(std::span<const transfer::Part> parts,
                             std::span<const std::vector<LocalIndex>> positions) {
  std::vector<Route> routes;
  LocalIndex first = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto count = static_cast<LocalIndex>(positions[p].size());
    if (count > 0) {
      routes.push_back({parts[p].link, first, count, {}});
    }
    first += count;
  }
  return routes;
}

} // namespace isthmus::planning
