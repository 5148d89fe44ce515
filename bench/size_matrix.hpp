// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#ifdef ISTHMUS_SIMULATED
#include <smpi/smpi.h>
#endif

namespace bench {

/// Sizes of what each rank sends to each, combined up a binomial tree and told down it: what
/// OpenFOAM 2.3 does before messages whose sizes the receiver does not know. The entries stand for
/// the traffic only.
class SizeMatrix {
 public:
  explicit SizeMatrix(const isthmus::comm::Comm& comm)
      : comm_(comm), row_(static_cast<std::size_t>(comm.size())), all_(make(row_ * row_)) {}
  SizeMatrix(const SizeMatrix&) = delete;
  SizeMatrix& operator=(const SizeMatrix&) = delete;
  ~SizeMatrix() { drop(); }

  void combine() {
    const int rank = comm_.rank();
    const int size = comm_.size();
    int span = 1; // of ranks below this one, itself included
    for (; span < size && rank % (2 * span) == 0; span *= 2) {
      if (rank + span < size) {
        receive(rank + span, rows(rank + span, span));
      }
    }
    if (rank > 0) {
      send(rank - span, rows(rank, span));
      receive(rank - span, row_ * row_);
    }
    for (span /= 2; span > 0; span /= 2) { // most ranks first
      if (rank + span < size) {
        send(rank + span, row_ * row_);
      }
    }
  }

 private:
  static constexpr int tag = 283;

  /// Entries of so many ranks from `first` on, as far as there are any.
  [[nodiscard]] std::size_t rows(int first, int count) const {
    return row_ * static_cast<std::size_t>(std::min(count, comm_.size() - first));
  }
  void send(int to, std::size_t count) {
    MPI_Send(all_, static_cast<int>(count), MPI_INT, to, tag, comm_.raw());
  }
  void receive(int from, std::size_t count) {
    MPI_Recv(all_, static_cast<int>(count), MPI_INT, from, tag, comm_.raw(), MPI_STATUS_IGNORE);
  }

#ifdef ISTHMUS_SIMULATED // one piece of memory for all ranks
  static int* make(std::size_t count) {
    return static_cast<int*>(SMPI_SHARED_MALLOC(count * sizeof(int)));
  }
  void drop() {
    SMPI_SHARED_FREE(all_);
  }
#else
  int* make(std::size_t count) {
    memory_.resize(count);
    return memory_.data();
  }
  void drop() {}
  std::vector<int> memory_;
#endif

  const isthmus::comm::Comm& comm_;
  std::size_t row_;
  int* all_;
};

} // namespace bench
