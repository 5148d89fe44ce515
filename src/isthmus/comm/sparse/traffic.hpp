// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace isthmus::comm {

/// What one rank sent and received. Scale is claimed on these counts, not on times.
struct Traffic {
  std::int64_t messages = 0; // sent
  std::int64_t bytes = 0;    // sent
  std::int64_t received = 0; // messages

  void count(std::size_t size) {
    ++messages;
    bytes += static_cast<std::int64_t>(size);
  }
  /// An allreduce as recursive doubling sends it.
  void count_allreduce(int ranks, std::size_t size);
  /// A dissemination barrier.
  void count_barrier(int ranks) { count_allreduce(ranks, 0); }
  /// An all-to-all of `size` bytes for each rank as Bruck's algorithm sends it.
  void count_alltoall(int ranks, std::size_t size);
  /// A broadcast as a binomial tree sends it from rank 0.
  void count_bcast(int rank, int ranks, std::size_t size);
};

inline void Traffic::count_allreduce(int ranks, std::size_t size) {
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    count(size);
    ++received;
  }
}

inline void Traffic::count_alltoall(int ranks, std::size_t size) {
  for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
    std::int64_t entries = 0; // those whose way has this step in it
    for (std::int64_t way = 1; way < ranks; ++way) {
      entries += (way & distance) != 0 ? 1 : 0;
    }
    count(static_cast<std::size_t>(entries) * size);
    ++received;
  }
}

inline void Traffic::count_bcast(int rank, int ranks, std::size_t size) {
  std::int64_t distance = 1;
  for (; rank + distance < ranks && (rank & distance) == 0; distance *= 2) {
    count(size);
  }
  received += rank > 0 ? 1 : 0;
}

} // namespace isthmus::comm
