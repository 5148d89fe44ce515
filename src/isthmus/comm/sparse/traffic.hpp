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

} // namespace isthmus::comm
