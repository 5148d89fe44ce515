// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "board.hpp"

#include <array>
#include <atomic>
#include <span>
#include <string>
#include <vector>

namespace isthmus::openfoam {

/// What this rank waits for now; written by it and read by its watch, which may see parts of two
/// waits.
struct Wait {
  static constexpr int most_ranks = 16;

  std::atomic<const char*> what = nullptr; // nothing
  std::atomic<double> since = 0;           // seconds of the system's clock
  std::atomic<int> num_ranks = 0;          // 0: all; more than there is room for: the first of them
  std::array<std::atomic<int>, most_ranks> ranks{};
};

/// A thread that ends this process, and says why, where another of this host has died, or has ended
/// before it did what this one waits for: MPI would wait for it. It calls nothing of MPI but
/// MPI_Abort(). Where the launcher ends this process by SIGTERM because another has died, it has
/// the time to say so, too.
class Watch {
 public:
  /// Collective over the world. It watches until the process ends.
  Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] Board& board() { return board_; }
  [[nodiscard]] Wait& wait() { return wait_; }
  /// This rank receives, or begins to receive, so many more messages of OpenFOAM.
  void count_receives(int from, int number);
  /// Says on stderr why this rank ends, and since when it has waited for whom; ends all.
  [[noreturn]] void end(Board::Failure failure);

 private:
  struct Other {
    int rank;
    int descriptor; // of its process; readable when that has ended
  };

  void run();
  void look_at_processes(int milliseconds);
  void look_at_wait();
  void end_by_signal();
  [[nodiscard]] bool is_missing(int rank);
  [[nodiscard]] std::string describe_wait();

  Board board_;
  Wait wait_;
  std::vector<int> receives_; // by rank
  std::vector<Other> others_;
  int signal_pipe_ = -1;
};

/// The watch of this process; nothing before it has started in parallel.
[[nodiscard]] Watch*& watch();

/// A wait, for as long as this object lives.
class Waiting {
 public:
  /// For all ranks of a communicator, which OpenFOAM knows by its number, in a collective
  /// operation.
  Waiting(const char* what, int index);
  /// For messages of or to ranks of the world.
  Waiting(const char* what, std::span<const int> ranks);
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting();
};

} // namespace isthmus::openfoam
