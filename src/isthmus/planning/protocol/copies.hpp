// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/transfer/bundles.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// Positions in a part that the provider knows.
struct ToldList {
  std::vector<LocalIndex> positions;
  bool differs = false; // from the list before
};

/// Numbers the needed ones of the transferred vertices by part (`numbers`, -1 elsewhere), tells the
/// provider which they are, and says where each comes from (`routes`). Returns how many there are.
/// `told`: null, or what the provider knows by part; it is told the difference.
LocalIndex number_copies(const transfer::Tell& tell, std::span<const transfer::Part> parts,
                         const std::vector<char>& needed, std::vector<LocalIndex>& numbers,
                         std::vector<Route>& routes, std::vector<ToldList>* told);

/// The answer of the provider: which of the vertices that this rank reads a lower one reads, too.
std::vector<char> receive_shared(partner::Context& context, std::span<const Route> routes);

/// Values of `count` copies of vertices from values by vertex; `numbers` of the copies, or -1.
[[nodiscard]] std::vector<double> renumbered(std::span<const double> values,
                                             std::span<const LocalIndex> numbers, LocalIndex count);

} // namespace isthmus::planning
