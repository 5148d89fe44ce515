// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/program/case.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace isthmus::convection {

/// What a run came to.
struct RunResult {
  int steps = 0;
  bool is_steady = false;
  bool has_level = true;      // of the pressure, by an opening
  std::vector<double> heat;   // that enters through each condition; 0 where it is insulated
  std::vector<double> values; // velocity and pressure of this rank's nodes, four each
  std::vector<double> temperature;
};

/// Collective. Runs a case from rest, steps in time by backward differences, flow and heat one
/// after the other, until it is steady. Rank 0 prints a line per step to `lines`, if that is not
/// null. Throws Error on all ranks: groups that are not there or without a condition, and solvers
/// that fail.
RunResult run(const comm::Comm& comm, const Case& from, std::FILE* lines);

} // namespace isthmus::convection
