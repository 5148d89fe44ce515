// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "particles/program/case.hpp"

#include <cstdint>
#include <vector>

namespace isthmus::mps {

/// What is in the tank, of all ranks.
struct Measured {
  std::int64_t num_fluid = 0;
  std::int64_t num_lost = 0;  // that have just left it
  double speed = 0;           // the largest
  double front = 0;           // largest first coordinate of the fluid
  double energy = 0;          // kinetic, of the fluid
  std::vector<double> gauges; // mean pressures of the walls there
};

/// Collective. Removes the fluid that left the tank, whose ghosts are lost then, and measures the
/// rest. Throws Error on all ranks where the case says that nothing may leave, or where something
/// went through a wall.
[[nodiscard]] Measured measure(const comm::Comm& comm, const Case& from, double time, State& state);

} // namespace isthmus::mps
