// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "particles/program/case.hpp"

#include <vector>

namespace isthmus::mps {

/// Collective. The mean pressure in each gauge: of the wall particles that are not a spacing away
/// from its box, or, where there are none, at points a spacing apart behind the planes that the box
/// touches, where such particles would be, from the fluid near them. Dry points count with 0.
[[nodiscard]] std::vector<double> read_gauges(const comm::Comm& comm, const Case& from,
                                              State& state);

} // namespace isthmus::mps
