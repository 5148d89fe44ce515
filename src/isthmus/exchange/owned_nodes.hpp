// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <span>

namespace isthmus::exchange {

/// Collective. Dot product over all nodes, each counted once, of vectors with `components` values
/// per touched node. The same bits on all ranks.
[[nodiscard]] double owned_dot(const comm::Comm& comm, const InterfacePlan& plan, int components,
                               std::span<const double> x, std::span<const double> y);

} // namespace isthmus::exchange
