// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "isthmus/participant/participant.hpp"

#include <string>
#include <vector>

namespace random_runs {

/// What one rank of a participant saw. Numbers: per step 1, the largest step, the step taken,
/// whether a checkpoint was to be written, the values of each read at each time, then after
/// advance() 2, whether the window is complete, a checkpoint to be read, the coupling ongoing; at
/// the end 3 and the values of each read at time 0, and of the first rank for each watch the number
/// of rows and columns of its file and what stands there; the same of exported tables
/// (exports.hpp).
struct Report {
  std::vector<double> numbers;
  std::string error;
};

[[nodiscard]] Report solve(const Participant& participant, const std::string& configuration,
                           const isthmus::Launch& launch);

} // namespace random_runs
