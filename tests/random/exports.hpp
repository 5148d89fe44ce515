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

/// Appends what stands in the exported tables of this rank: for each export, time and mesh with
/// vertices here the number of rows and columns, and the values. Other files have to be there.
/// Removes them all. Throws std::runtime_error where one is missing.
void put_exports(const Participant& participant, int rank, const std::vector<StepEnd>& steps,
                 std::vector<double>& numbers);

} // namespace random_runs
