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
struct SentList {
  std::vector<LocalIndex> positions;
  bool differs = false; // from the list before
};

/// Numbers the needed ones of the transferred vertices by part (`numbers`, -1 elsewhere), tells the
/// provider which they are, and says where each comes from (`routes`). Returns how many there are.
/// `sent`: null, or what the provider knows by part; it is told the difference.
LocalIndex number_copies(const transfer::SendPiece& send_piece,
                         std::span<const transfer::Part> parts, const std::vector<char>& needed,
                         std::vector<LocalIndex>& numbers, std::vector<Route>& routes,
                         std::vector<SentList>* sent);

/// The answer of the provider: which of the vertices that this rank reads a lower one reads, too.
std::vector<char> receive_shared(partner::Context& context, std::span<const Route> routes);

/// Values of `count` copies of vertices from values by vertex; `numbers` of the copies, or -1.
[[nodiscard]] std::vector<double> renumbered(std::span<const double> values,
                                             std::span<const LocalIndex> numbers, LocalIndex count);

} // namespace isthmus::planning
