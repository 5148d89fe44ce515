// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::comm {

/// Tags of point-to-point messages on a Comm. Those of a round are followed by its parity.
enum Tag : int {
  tag_round = 100,
  tag_bulk = 102,
  tag_route = 104,
  tag_message = 105,
  tag_alarm = 106,
  tag_neighbour = 107,
  tag_rest = 108,
  tag_counted = 109,
  tag_reduce = 110, ///< plus the stream, 0 to 7
  tag_text = 118,
  tag_roll = 119,
  tag_question = 120,
  tag_memory = 121
};

/// The ranks of one participant. Owns a duplicate of the communicator it was made from, so that no
/// message of the library can meet a message of the solver. A default-constructed Comm is serial:
/// one rank, and no MPI call is ever made for it, so a serial solver need not initialize MPI.
///
/// Const are its ranks and what it looks at during waits. What changes with the calls made over it
/// (`State`) changes in a const one, too: whoever exchanges messages has a const Comm&.
class Comm {
 public:
  Comm() noexcept = default;
  /// Collective. Duplicates `parent` (any size, 1 included).
  explicit Comm(MPI_Comm parent);
  /// Takes a communicator over, which nobody else uses or frees.
  [[nodiscard]] static Comm own(MPI_Comm fresh);
  Comm(Comm&& other) noexcept;
  Comm& operator=(Comm&& other) noexcept;
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  /// Collective. Frees the duplicate unless MPI is finalized.
  ~Comm();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_root() const { return rank_ == 0; }
  /// MPI_COMM_NULL when serial.
  [[nodiscard]] MPI_Comm raw() const { return comm_; }
  /// Collective. The ranks of equal colour, in the order of their ranks here. What ends a wait of
  /// this one ends theirs: it must stay where it is as long as they wait.
  [[nodiscard]] Comm split(int color) const;
  /// Collective, without communication. 0 and 1 in turn: distinguishes messages of consecutive
  /// rounds.
  [[nodiscard]] int next_parity() const { return state_.parity = 1 - state_.parity; }

  /// What to do now and then during a wait for other ranks, which ends if that throws, and how many
  /// seconds such a wait may last.
  void set_watch(std::function<void()> watch, double progress_timeout_s);
  [[nodiscard]] double progress_timeout() const { return progress_timeout_s_; }
  /// Called during waits. Throws an Alarm if another rank has given up, and what the watch throws.
  void look() const;
  /// Adds the processor time that waits for other ranks take to this sum from now on; null: to
  /// none.
  void meter_waits(double* seconds) const { state_.waited = seconds; }
  [[nodiscard]] double* waited() const { return state_.waited; }
  /// Operations are left unfinished: MPI keeps the communicator to the end.
  void keep() const { ++state_.kept; }
  /// Ends one keep(), where the operations have been completed after all.
  void let_go() const { --state_.kept; }
  /// The alarm that has come (empty if none has), and when (seconds of now()).
  [[nodiscard]] std::string& alarm() const { return state_.alarm; }
  [[nodiscard]] double& alarm_time() const { return state_.alarm_time; }
  /// Those of this rank's computer, itself included; empty as long as nobody has found them
  /// (exchange::ranks_here).
  [[nodiscard]] std::vector<int>& ranks_here() const { return state_.ranks_here; }

 private:
  struct State {
    int parity = 0; // of the latest round
    double* waited = nullptr;
    int kept = 0;
    std::string alarm;
    double alarm_time = 0;
    std::vector<int> ranks_here;
  };

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::function<void()> watch_;
  double progress_timeout_s_ = 3600;
  mutable State state_;
};

} // namespace isthmus::comm
