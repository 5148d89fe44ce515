// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "particles/program/case.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace isthmus::mps {

/// What a run came to.
struct RunResult {
  std::int64_t steps = 0; // with those of the runs that it went on from
  double time = 0;
  std::int64_t num_fluid = 0;       // particles of all ranks
  std::int64_t num_poured = 0;      // those that this run let in here
  std::int64_t num_lost = 0;        // those that left through open sides, of all ranks
  double front = 0;                 // largest first coordinate of the fluid, of all ranks
  double seconds = 0;               // that the steps took
  std::vector<double> migrations{}; // seconds that each migration took here, waits included
  comm::Traffic traffic;            // of the migrations of this rank
  State state;                      // of this rank
};

/// Collective. Runs a case, from its beginning or from a restart file (if not empty). Rank 0 prints
/// a line per step to `lines`, if that is not null. Throws Error on all ranks: what fill() and
/// read_restart() find, particles that leave the tank, a step above the limit of
/// Courant, and pressures that are not found.
RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines,
              const std::filesystem::path& restart = {});

} // namespace isthmus::mps
