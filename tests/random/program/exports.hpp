// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include <vector>

namespace random_runs {

/// What came of a step.
struct StepEnd {
  bool completes_window = false;
  bool repeats_window = false;
};

/// Appends what stands in the exported files of this rank: for each export, time and mesh with
/// vertices here the number of rows and columns, and the values, the same of meshes of others,
/// without any where the rank has none of their vertices; on the first rank then, for each mesh
/// with vertices, the times in its series. Removes them all. Throws std::runtime_error where one is
/// missing, or the series names others.
void put_exports(const Participant& participant, int rank, const std::vector<StepEnd>& steps,
                 std::vector<double>& numbers);

} // namespace random_runs
