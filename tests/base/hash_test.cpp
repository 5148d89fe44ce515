// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/hash.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace isthmus;

TEST_CASE(
    "equal lists are dealt to the same rank, and each rank gets its share of different ones") {
  const std::array<double, 2> zero{0.0, 1.5};
  const std::array<double, 2> negative{-0.0, 1.5};
  for (const int ranks : {1, 2, 3, 7, 64}) {
    CHECK(dealt_rank(std::span<const double>(zero), ranks) ==
          dealt_rank(std::span<const double>(negative), ranks));
    std::vector<int> dealt(static_cast<std::size_t>(ranks));
    constexpr std::int64_t side = 100;
    for (std::int64_t i = 0; i < side; ++i) {
      for (std::int64_t j = 0; j < side; ++j) {
        const std::array<std::int64_t, 2> cell{i - side / 2, j};
        ++dealt.at(
            static_cast<std::size_t>(dealt_rank(std::span<const std::int64_t>(cell), ranks)));
      }
    }
    for (const int count : dealt) {
      CHECK(count * ranks > side * side / 2);
      CHECK(count * ranks < side * side * 2);
    }
  }
}
