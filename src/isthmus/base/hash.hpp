// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace isthmus {

/// Local. Which of so many ranks a list of 64-bit numbers (a cell, a place) is dealt to: the same
/// one wherever it is asked, and about as many lists to each. Places that are equal are dealt
/// alike: -0 is 0.
template <typename Number>
[[nodiscard]] int dealt_rank(std::span<const Number> numbers, int ranks) {
  static_assert(sizeof(Number) == sizeof(std::uint64_t));
  std::uint64_t hash = 0;
  for (const Number number : numbers) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number + Number{})) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return static_cast<int>(hash % static_cast<std::uint64_t>(ranks));
}

} // namespace isthmus
