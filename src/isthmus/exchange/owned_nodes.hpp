// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <span>
#include <vector>

namespace isthmus::exchange {

/// Collective. A number for every touched node: 0, 1, 2, … over the owned nodes of rank 0, then of
/// rank 1 and so on; ghosts have their owner's number.
[[nodiscard]] std::vector<GlobalIndex> number_owned(const comm::Comm& comm,
                                                    const InterfacePlan& plan);

/// Collective. Dot product over all nodes, each counted once, of vectors with `components` values
/// per touched node. The same bits on all ranks.
[[nodiscard]] double owned_dot(const comm::Comm& comm, const InterfacePlan& plan, int components,
                               std::span<const double> x, std::span<const double> y);

} // namespace isthmus::exchange
