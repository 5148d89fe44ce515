// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstdint>

namespace isthmus::comm {

/// How all ranks learn that one of them wants a round to be open: it has something for a rank that
/// is not among its partners, or a failure to tell. No rank can know in less time than a message
/// needs to come from the furthest.
enum class Opening {
  at_once,   // one reduction of a flag at the beginning of every round
  by_caller, // the caller knows: the flag travels with a reduction that it does anyway
  later      // the flag spreads with the messages to partners, by one partner a round
};

/// Which rounds of an exchange are open: the same on all ranks.
class OpenRounds {
 public:
  /// Opening::later needs a bound for the steps from partner to partner between any two ranks.
  OpenRounds(const Comm& comm, Opening opening, int steps)
      : comm_(&comm), opening_(opening), steps_(steps) {}

  [[nodiscard]] Opening opening() const { return opening_; }

  /// Collective. Begins a round; returns whether it is open. `wish`: this rank wants it to be
  /// (Opening::by_caller: some rank does).
  bool begin(bool wish, Traffic* traffic);
  /// The round that has begun.
  [[nodiscard]] bool is_open() const { return open_; }

  /// What partners are told in this round: how many rounds later one is open; 0: none is known of.
  [[nodiscard]] std::uint32_t countdown() const { return countdown_; }
  /// What a partner has told.
  void learn(std::uint32_t countdown);

  /// Collective, without communication. The next round is open.
  void reset(int steps);

 private:
  const Comm* comm_;
  Opening opening_;
  int steps_;
  std::uint32_t countdown_ = 0; // rounds until an open one, this one included; 0: none is known of
  bool open_ = false;
  bool open_next_ = false; // all ranks know
};

} // namespace isthmus::comm
