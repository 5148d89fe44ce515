// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace isthmus::comm {

/// How many bytes go to, or come from, a rank.
struct Count {
  int rank;
  std::int64_t bytes;
};

/// Memory with a place for every rank of the communicator, in which each leaves how much it is
/// about to send here. Made once and used in every round. The places are double: those of one round
/// are read and cleared while the counts of the next arrive. Memory grows with the ranks. MPI
/// offers no way to limit the waits of one-sided communication: a rank that never comes is not
/// noticed here.
class CountWindow {
 public:
  enum class Completion {
    fence,  // one MPI_Win_fence ends a round
    passive // each target is flushed, a barrier ends the round
  };

  /// Collective.
  CountWindow(const Comm& comm, Completion completion);
  CountWindow(const CountWindow&) = delete;
  CountWindow& operator=(const CountWindow&) = delete;
  /// Collective, unless an error is under way: then MPI keeps window and memory.
  ~CountWindow();

  /// Collective. Leaves the counts (at most one per rank, none of them -1) at their ranks; returns
  /// what was left here, ascending by rank.
  [[nodiscard]] std::vector<Count> exchange(std::span<const Count> counts);

 private:
  struct Place {
    std::int64_t of_round[2] = {0, 0};
  };

  void put(const Count& count, const std::int64_t& value);
  void complete(std::span<const Count> counts);

  const Comm& comm_;
  Completion completion_;
  std::span<Place> places_;
  MPI_Win window_ = MPI_WIN_NULL;
  int round_ = 0; // modulo 2
  int errors_under_way_ = std::uncaught_exceptions();
};

} // namespace isthmus::comm
