// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <span>
#include <vector>

namespace isthmus::partner {

/// Collective over both participants. Finds the ranks of the partner whose boxes meet the boxes of
/// this rank, links with them and returns them ascending. Both sides get matching answers.
[[nodiscard]] std::vector<int> find_partners(Connection& partner, rendezvous::Side side,
                                             config::Initialization initialization,
                                             std::span<const geometry::Box> boxes);

/// Collective over both participants. The same for the one-level initialization: partners have a
/// vertex in common. `ids`: the vertices that this rank provides, or needs.
[[nodiscard]] std::vector<int> find_partners_by_ids(Connection& partner, rendezvous::Side side,
                                                    std::span<const GlobalIndex> ids);

} // namespace isthmus::partner
