// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/multiblock/topology.hpp"
#include "isthmus/comm/comm.hpp"

namespace isthmus::flow {

/// Collective. Connects parts of sides that meet no other one as a whole: rectangles of faces whose
/// corners coincide to within `tolerance` times the size of the side. A side may meet itself (the
/// wake of a C-grid). Each rank reads some blocks; the sides are on all ranks for a moment. Throws
/// Error on all ranks where more than two faces coincide.
void connect_parts(const comm::Comm& comm, const GridSource& source, double tolerance,
                   Topology& topology);

} // namespace isthmus::flow
