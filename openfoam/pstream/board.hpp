// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_memory.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::openfoam {

/// What the processes of one host let each other know without messages, in memory that they share:
/// how far each is. Of ranks on other hosts, and where no memory can be shared, nothing is known.
/// Every rank writes its own place, everybody reads all, at any time.
class Board {
 public:
  enum class State : int { works, ended, gave_up };
  enum class Cause : int { none, death, end, silence, hour };
  /// Why ranks cannot go on, and by whom.
  struct Failure {
    Cause cause = Cause::none;
    int rank = 0;
  };

  /// Collective over the world.
  Board();

  [[nodiscard]] int rank() const { return rank_; }
  /// Those of this host, without the own one, ascending; by their numbers in the world.
  [[nodiscard]] std::span<const int> others() const { return others_; }
  [[nodiscard]] bool has(int rank) const { return place(rank) >= 0; }

  void set(State state);
  [[nodiscard]] State state(int rank) const;
  [[nodiscard]] int process(int rank) const;
  /// The first failure that anybody of this host has found: this one, if there was none yet.
  Failure first(Failure failure);
  [[nodiscard]] Failure first() const;

  /// This rank takes part in one more collective operation of the world.
  void begin_collective();
  [[nodiscard]] int num_collectives(int rank) const;
  /// This rank has sent all of its first `number` exchanges in the world.
  void end_exchanges(int number);
  [[nodiscard]] int num_exchanges(int rank) const;
  /// Messages of OpenFOAM from rank to rank. Those to and from other hosts are not counted.
  void count_message(int to);
  [[nodiscard]] int num_messages_from(int rank) const;

 private:
  [[nodiscard]] int place(int rank) const;
  [[nodiscard]] int* values(int place) const;

  int rank_ = 0;
  std::vector<int> places_; // by rank; -1 for other hosts
  std::vector<int> others_;
  std::optional<HostMemory> memory_;
  std::size_t width_ = 0; // values of a rank
  int* own_ = nullptr;
};

} // namespace isthmus::openfoam
