// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/timed_sum.hpp"
#include "convection/program/case.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace isthmus::convection {

/// What a run came to.
struct RunResult {
  int steps = 0; // those of an earlier run that it went on from, too
  bool is_steady = false;
  bool has_level = true; // of the pressure, by an opening
  double time = 0;
  std::vector<double> heat;   // that enters through each condition; 0 where it is insulated
  std::vector<double> values; // velocity and pressure of this rank's nodes, four each
  std::vector<double> temperature;
  double seconds = 0; // of all steps
  SumTime exchange;   // in them, of this rank
};

/// Collective. Runs a case, or goes on with what an earlier run left in the file `restart`, steps
/// in time by backward differences, flow and heat one after the other, until it is steady. Rank 0
/// prints a line per step to `lines`, if that is not null. Throws Error on all ranks: groups that
/// are not there or without a condition, a restart that does not fit, and solvers that fail; files
/// of earlier steps then stay.
RunResult run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart,
              std::FILE* lines);

} // namespace isthmus::convection
