// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <map>
#include <random>
#include <vector>

/// Ranks that touch each node, ascending; the same on all ranks.
using Sharing = std::map<isthmus::GlobalIndex, std::vector<int>>;

/// Ranks near each other share nodes; some have none, some nodes have many sharers.
inline Sharing random_sharing(int ranks, unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&random](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  Sharing sharing;
  isthmus::GlobalIndex id = -3;
  for (int k = 0; k < 8 * ranks; ++k) {
    id += 1 + pick(pick(10) == 0 ? 1'000'000 : 3);
    const int first = pick(ranks);
    const int reach = pick(20) == 0 ? 12 : 3;
    std::vector<int> sharers;
    for (int rank = first; rank < ranks && rank < first + reach; ++rank) {
      if (rank % 5 != 3 && (sharers.empty() || pick(2) == 0)) { // ranks 3, 8, … are empty
        sharers.push_back(rank);
      }
    }
    if (!sharers.empty()) {
      sharing[id] = sharers;
    }
  }
  return sharing;
}

inline std::vector<isthmus::GlobalIndex> nodes_of(const Sharing& sharing, int rank) {
  std::vector<isthmus::GlobalIndex> ids;
  for (const auto& [id, sharers] : sharing) {
    for (const int sharer : sharers) {
      if (sharer == rank) {
        ids.push_back(id);
      }
    }
  }
  return ids;
}
