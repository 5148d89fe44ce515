// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "particles/program/case.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace isthmus::mps {

/// What a run came to.
struct RunResult {
  int steps = 0;
  double time = 0;
  std::int64_t num_fluid = 0; // particles of all ranks
  std::int64_t num_lost = 0;  // those that left through open sides, of all ranks
  double front = 0;           // largest first coordinate of the fluid, of all ranks
  State state;                // of this rank
};

/// Collective. Runs a case. Rank 0 prints a line per step to `lines`, if that is not null. Throws
/// Error on all ranks: what fill() finds, particles that leave the tank, a step above the limit of
/// Courant, and pressures that are not found.
RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines);

} // namespace isthmus::mps
