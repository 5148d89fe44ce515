// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/settings.hpp"
#include "isthmus/comm/comm.hpp"

#include <span>
#include <vector>

namespace isthmus::acceleration {

/// Collective where a field has bounds and the whole step depends on them (discard, scale).
/// Corrects a quasi-Newton step in fields[…].output; fixed_point holds H(x_k) of all fields, one
/// after the other.
void keep_bounds(std::span<const IteratedField> described, std::span<const Iterate> fields,
                 std::span<const double> fixed_point, OnBoundViolation reaction,
                 const comm::Comm& comm);

} // namespace isthmus::acceleration
