// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "particles/program/case.hpp"

namespace isthmus::mps {

/// Collective. Adds the particles of a case on a lattice: water, and walls so thick that no kernel
/// sees beyond them. Each rank adds a share; numbers are places of the lattice, the same on any
/// ranks. Throws Error on all ranks: a tank whose sides are no whole number of spacings apart,
/// water outside of the tank or inside of obstacles.
void fill(const comm::Comm& comm, const Case& from, State& to);

} // namespace isthmus::mps
