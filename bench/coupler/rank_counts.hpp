// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>

/// What each rank of a job costs, also where a simulator has all ranks in one process. It replaces
/// functions of MPI and operator new.
struct RankCounts {
  double sent = 0;     // messages
  double received = 0; // messages
  double bytes_sent = 0;
  double bytes_received = 0;
  double collectives = 0;      // calls; their messages are among those above
  std::map<int, long> sent_to; // messages by rank of MPI_COMM_WORLD, but for collectives
  std::map<int, long> received_from;
};

/// Of this rank since the last call. Collectives count as what the simulated cluster sends for them
/// (tools/smpirun.sh): trees, recursive doubling; a gather of pieces of unequal size goes to the
/// root directly.
[[nodiscard]] RankCounts take_rank_counts();

/// Bytes that this rank has allocated and not freed, at most since the last call, without what MPI
/// has.
[[nodiscard]] std::size_t take_rank_memory();

/// Nothing is counted any more; before the simulator ends.
void end_rank_counts();
