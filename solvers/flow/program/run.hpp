// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/program/case.hpp"
#include "flow/program/output.hpp"

#include <cstdio>
#include <filesystem>
#include <vector>

namespace isthmus::flow {

/// Loads at one moment, as wall_loads() has them, and as lift and drag.
struct LoadRow {
  double time = 0;
  double incidence = 0; // rad
  double lift = 0;
  double drag = 0;
  double moment = 0; // nose up
  double power = 0;  // that the fluid gives to the body, over the dynamic pressure times the speed
};

/// What a rank had to do.
struct RankWork {
  int pieces = 0; // blocks, or parts of blocks
  GlobalIndex cells = 0;
  double busy = 0; // seconds of its processor, without what ranks send each other
};

/// What a run came to.
struct RunResult {
  int iterations = 0;         // of all steps
  double residual = 0;        // of the density, of the last iteration
  bool is_converged = false;  // the last step
  std::vector<LoadRow> loads; // per snapshot or time step; one of a steady flow
  std::vector<RankWork> work; // per rank
  double seconds = 0;         // of all iterations and reports

  /// Largest over mean busy time.
  [[nodiscard]] double imbalance() const;
};

/// Collective. Runs a case, from the undisturbed flow or from a restart file (if not empty). Rank 0
/// prints the head and lines of history.csv to `lines`. Writes into the output folder: history.csv,
/// loads.csv, balance.csv, grid.xyz (PLOT3D), flow.blocks (restart), flow.vtkhdf (ParaView). Throws
/// Error on all ranks; files of an earlier run then stay.
RunResult run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart,
              std::FILE* lines);

} // namespace isthmus::flow
