// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/reduce.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus::la {

/// A reduction that is under way beside a loop, and how often the loop is to move it on.
struct Overlap {
  comm::Reduction* reduction = nullptr;
  int calls = 0;

  /// For a loop that takes this share of the time.
  [[nodiscard]] Overlap part(double share) const {
    return {reduction, static_cast<int>(share * calls) + 1};
  }
  void progress() const {
    if (reduction != nullptr) {
      reduction->progress();
    }
  }
};

/// Calls work(first, last) for all of 0…n in `overlap.calls` equal pieces or one, with progress
/// after each.
template <typename Work>
void in_pieces(std::size_t n, Overlap overlap, Work&& work) {
  const auto pieces = static_cast<std::size_t>(std::max(1, overlap.calls));
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    work(n * piece / pieces, n * (piece + 1) / pieces);
    overlap.progress();
  }
}

} // namespace isthmus::la
