// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/rank_list.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>
#include <vector>

using isthmus::partner::RankList;

namespace {

void check_list(const RankList& list, const std::vector<int>& ranks, std::size_t num_runs) {
  CHECK(list.size() == ranks.size());
  CHECK(list.runs().size() == num_runs);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    CHECK(list.at(static_cast<int>(i)) == ranks[i]);
  }
  CHECK_THROWS_AS(static_cast<void>(list.at(-1)), std::out_of_range);
  CHECK_THROWS_AS(static_cast<void>(list.at(static_cast<int>(ranks.size()))), std::out_of_range);
}

} // namespace

TEST_CASE("ranks at equal distances are one run, and all are found again") {
  const std::pair<std::vector<int>, std::size_t> lists[] = {
      {{}, 0},           {{7}, 1},          {{3, 4, 5, 6}, 1},    {{9, 6, 3, 0}, 1},
      {{0, 2, 4, 5}, 2}, {{5, 1, 4, 0}, 2}, {{1, 2, 3, 9, 8}, 2}, {{2, 2, 2}, 1},
  };
  for (const auto& [ranks, num_runs] : lists) {
    const RankList list = ranks;
    check_list(list, ranks, num_runs);
    check_list(RankList::of_runs({list.runs().begin(), list.runs().end()}), ranks, num_runs);
  }
  check_list(RankList::consecutive(4, 3), {4, 5, 6}, 1);
}
