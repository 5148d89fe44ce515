// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/rank_list.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace isthmus::partner {

RankList::RankList(std::span<const int> ranks) {
  for (const int rank : ranks) {
    push_back(rank);
  }
}

RankList RankList::of_runs(std::vector<Run> runs) {
  RankList list;
  list.runs_ = std::move(runs);
  return list;
}

RankList RankList::consecutive(int first, int count) {
  return of_runs({{0, first, 1, count}});
}

void RankList::push_back(int rank) {
  if (!runs_.empty()) {
    Run& last = runs_.back();
    if (last.count == 1) {
      last.distance = rank - last.first;
    }
    if (rank == last.first + last.count * last.distance) {
      ++last.count;
      return;
    }
  }
  runs_.push_back({static_cast<int>(size()), rank, 1, 1});
}

std::size_t RankList::size() const {
  return runs_.empty() ? 0 : static_cast<std::size_t>(runs_.back().place + runs_.back().count);
}

int RankList::at(int place) const {
  if (place < 0 || static_cast<std::size_t>(place) >= size()) {
    throw std::out_of_range("no such rank");
  }
  const auto behind =
      std::upper_bound(runs_.begin(), runs_.end(), place,
                       [](int wanted, const Run& run) { return wanted < run.place; });
  const Run& run = *std::prev(behind);
  return run.first + (place - run.place) * run.distance;
}

} // namespace isthmus::partner
