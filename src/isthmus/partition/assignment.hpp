// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <span>
#include <vector>

namespace isthmus::partition {

/// Weight that stays if part `now` gets the number `number`.
struct Stay {
  int now;
  int number;
  GlobalIndex weight;
};

/// A number for each of `parts`, each used once, such that the sum of what stays is the largest.
[[nodiscard]] std::vector<int> best_assignment(std::span<const Stay> stays, int parts);

/// The same, the largest weights first: at least half of the largest sum.
[[nodiscard]] std::vector<int> greedy_assignment(std::span<const Stay> stays, int parts);

} // namespace isthmus::partition
