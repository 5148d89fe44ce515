// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::partner {

/// Ranks in their order, as runs at equal distances: most lists of a million ranks are one run.
class RankList {
 public:
  struct Run {
    int place;    // of its first rank in the list
    int first;    // rank
    int distance; // between two
    int count;
  };

  RankList() = default;
  RankList(std::span<const int> ranks); // NOLINT(google-explicit-constructor)
  RankList(const std::vector<int>& ranks) : RankList(std::span(ranks)) {}
  /// What runs() of another one said.
  [[nodiscard]] static RankList of_runs(std::vector<Run> runs);
  /// `first`, `first` + 1, …
  [[nodiscard]] static RankList consecutive(int first, int count);

  void push_back(int rank);
  [[nodiscard]] std::size_t size() const;
  /// Throws std::out_of_range where there is none.
  [[nodiscard]] int at(int place) const;
  [[nodiscard]] std::span<const Run> runs() const { return runs_; }

 private:
  std::vector<Run> runs_;
};

} // namespace isthmus::partner
