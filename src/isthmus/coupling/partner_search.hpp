// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/across.hpp"
#include "isthmus/coupling/connection.hpp"
#include "isthmus/geometry/box.hpp"

#include <span>
#include <vector>

namespace isthmus::coupling {

/// Collective over both participants. Finds the ranks of the partner whose boxes meet the boxes of
/// this rank, links with them and returns them ascending. Both sides get matching answers.
[[nodiscard]] std::vector<int> find_partners(Connection& partner, Side side,
                                             config::Initialization initialization,
                                             std::span<const geometry::Box> boxes);

} // namespace isthmus::coupling
