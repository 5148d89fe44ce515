// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace isthmus {

/// Whether `ids` are 0, 1, 2, … in order: then a copy needs no look-up.
[[nodiscard]] inline bool counts_from_zero(std::span<const LocalIndex> ids) {
  constexpr std::size_t block = 4096; // compared without branches
  for (std::size_t first = 0; first < ids.size(); first += block) {
    const std::size_t last = std::min(first + block, ids.size());
    LocalIndex difference = 0;
    for (std::size_t i = first; i < last; ++i) {
      difference |= ids[i] ^ static_cast<LocalIndex>(i);
    }
    if (difference != 0) {
      return false;
    }
  }
  return true;
}

/// Ascending, each value once.
template <typename T>
void sort_once(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Empties vectors and gives their memory back, which `v = {}` and clear() keep.
template <typename... T>
void release(std::vector<T>&... vectors) {
  (std::vector<T>().swap(vectors), ...);
}

/// Numbers that follow each other.
struct Share {
  GlobalIndex first;
  GlobalIndex count;
};

/// The equal share that a rank gets of the numbers below `total`, those of rank 0 first.
[[nodiscard]] constexpr Share share_of(int rank, int ranks, GlobalIndex total) {
  const GlobalIndex first = total * rank / ranks;
  return {first, total * (rank + 1) / ranks - first};
}

/// The rank whose share has a number.
[[nodiscard]] constexpr int owner_of_share(GlobalIndex number, int ranks, GlobalIndex total) {
  return static_cast<int>(((number + 1) * ranks - 1) / total);
}

} // namespace isthmus
