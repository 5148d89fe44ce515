// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::planning {

/// The entries that travel between this rank and one rank of a partner, for one direction of one
/// relation. Where `vertices` is empty the entries are `first` to `first + count - 1`: a receiver
/// of a mesh numbers its ghosts by partner, so that whatever comes from one partner is contiguous.
struct Route {
  transport::LinkId link = -1;
  LocalIndex first = 0;
  LocalIndex count = 0;
  std::vector<LocalIndex> vertices;
};

/// The vertices of a part that are marked, by transferred vertex, as positions in it.
[[nodiscard]] inline std::vector<LocalIndex> marked_positions(const transfer::Part& part,
                                                              std::span<const char> marks) {
  std::vector<LocalIndex> positions;
  for (LocalIndex i = 0; i < part.count; ++i) {
    if (marks[static_cast<std::size_t>(part.first + i)] != 0) {
      positions.push_back(i);
    }
  }
  return positions;
}

/// Entries for so many positions of each part, one part after the other.
[[nodiscard]] inline std::vector<Route> routes_of(
    std::span<const transfer::Part> parts, std::span<const std::vector<LocalIndex>> positions) {
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
