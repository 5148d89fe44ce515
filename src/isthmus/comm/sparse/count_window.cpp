// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/count_window.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>

namespace isthmus::comm {

CountWindow::CountWindow(const Comm& comm, Completion completion)
    : comm_(comm), completion_(completion) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  void* memory = nullptr; // of MPI, aligned as it likes
  check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(ranks * sizeof(Place)), sizeof(std::int64_t),
                             MPI_INFO_NULL, comm.raw(), &memory, &window_),
            "MPI_Win_allocate");
  places_ = {static_cast<Place*>(memory), ranks};
  std::fill(places_.begin(), places_.end(), Place{});
  barrier(comm);
  if (completion_ == Completion::fence) {
    check_mpi(MPI_Win_fence(MPI_MODE_NOPRECEDE, window_), "MPI_Win_fence");
  } else {
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
}

CountWindow::~CountWindow() {
  if (std::uncaught_exceptions() > errors_under_way_) {
    return;
  }
  if (completion_ == Completion::fence) {
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window_);
  } else {
    MPI_Win_unlock_all(window_);
  }
  MPI_Win_free(&window_);
}

std::vector<Count> CountWindow::exchange(std::span<const Count> counts) {
  std::vector<std::int64_t> values;
  values.reserve(counts.size());
  for (const Count& count : counts) {
    values.push_back(count.bytes + 1); // 0 is nobody
    put(count, values.back());
  }
  complete(counts);
  std::vector<Count> left;
  for (std::size_t rank = 0; rank < places_.size(); ++rank) {
    if (std::int64_t& place = places_[rank].of_round[round_]; place != 0) {
      left.push_back({static_cast<int>(rank), place - 1});
      place = 0;
    }
  }
  round_ = 1 - round_;
  return left;
}

void CountWindow::put(const Count& count, const std::int64_t& value) {
  const MPI_Aint place = 2 * comm_.rank() + round_;
  check_mpi(MPI_Put(&value, 1, MPI_INT64_T, count.rank, place, 1, MPI_INT64_T, window_), "MPI_Put");
}

void CountWindow::complete(std::span<const Count> counts) {
  if (completion_ == Completion::fence) {
    check_mpi(MPI_Win_fence(0, window_), "MPI_Win_fence");
    return;
  }
  for (const Count& count : counts) {
    check_mpi(MPI_Win_flush(count.rank, window_), "MPI_Win_flush");
  }
  const auto synchronize = [this] {
#ifndef ISTHMUS_SIMULATED // which has one memory
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
#else
    (void)this;
#endif
  };
  synchronize(); // what was cleared
  barrier(comm_);
  synchronize();
}

} // namespace isthmus::comm
