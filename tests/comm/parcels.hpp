// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

/// `count` bytes that say who sent them to whom in which round.
inline std::vector<std::byte> content(int from, int to, int round, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>((31 * from + 7 * to + 3 * round + static_cast<int>(i)) % 251);
  }
  return bytes;
}

/// Steps of a dissemination among so many ranks: the logarithm to base 2, rounded up.
inline int num_steps(int ranks) {
  int steps = 0;
  while ((1 << steps) < ranks) {
    ++steps;
  }
  return steps;
}
