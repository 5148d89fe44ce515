// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_rows.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace isthmus::openfoam {

namespace {

constexpr int looks_alone = 64; // before MPI may move what others wait for

std::size_t size_of_world() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return static_cast<std::size_t>(ranks);
}

/// MPI moves messages that others wait for only while it is called.
void move_messages() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
}

} // namespace

HostRows::HostRows()
    : num_ranks_(size_of_world()),
      memory_(MPI_COMM_WORLD, num_ranks_ * rows_per_rank * sizeof(Row)),
      is_crowded_(num_ranks_ > std::thread::hardware_concurrency()) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank_ = static_cast<std::size_t>(rank);
}

HostRows::Row& HostRows::row(std::size_t rank) const {
  return reinterpret_cast<Row*>(
      memory_.bytes().data())[rank * rows_per_rank + number_ % rows_per_rank];
}

void HostRows::wait_for(const Row& row) const {
  const std::atomic_ref number(const_cast<std::uint64_t&>(row.number)); // which is only read
  for (int looks = 0; number.load(std::memory_order_acquire) < number_; ++looks) {
    if (is_crowded_ || looks >= looks_alone) {
      move_messages();
    }
    if (is_crowded_) {
      sched_yield();
    }
  }
}

// A rank that is in exchange n + 2 has seen that all are in n + 1, so nobody reads its row of n.
void HostRows::exchange(std::span<const double> values, std::span<double> rows) {
  ++number_;
  Row& own = row(rank_);
  std::ranges::copy(values, own.values);
  std::atomic_ref(own.number).store(number_, std::memory_order_release);
  for (std::size_t rank = 0; rank < num_ranks_; ++rank) {
    const Row& other = row(rank);
    wait_for(other);
    std::copy_n(other.values, values.size(), rows.subspan(rank * values.size()).begin());
  }
}

} // namespace isthmus::openfoam
