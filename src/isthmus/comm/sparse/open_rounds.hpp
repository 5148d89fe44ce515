// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/any_rank.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstdint>
#include <optional>

namespace isthmus::comm {

/// How all ranks learn that one of them wants a round to be open: it has something for a rank that
/// is not among its partners, or a failure to report. No rank can know in less time than a message
/// needs to come from the furthest.
enum class Opening {
  at_once,   // all ranks are asked in every round, beside the messages to partners
  by_caller, // the caller knows: the flag travels with a reduction that it does anyway
  later      // the flag spreads with the messages to partners, by one partner a round
};

/// Which rounds of an exchange are open: the same on all ranks.
class OpenRounds {
 public:
  /// Opening::later needs a bound for the steps from partner to partner between any two ranks.
  OpenRounds(const Comm& comm, Opening opening, int steps)
      : comm_(&comm), opening_(opening), steps_(steps) {
    if (opening == Opening::at_once) {
      any_wish_.emplace(comm);
    }
  }

  [[nodiscard]] Opening opening() const { return opening_; }

  /// Collective. Begins a round; returns whether this rank knows that it is open. `wish`: this rank
  /// wants it to be (Opening::by_caller: some rank does).
  bool begin(bool wish, Traffic* traffic);
  /// What begin() returned.
  [[nodiscard]] bool is_known_open() const { return open_; }
  /// Local, between begin() and finish(): lets news of the other ranks come in.
  void progress();
  /// Collective, once in each round. Whether it is open: the same on all ranks.
  [[nodiscard]] bool finish();

  /// What is sent to partners in this round: how many rounds later one is open; 0: none is known
  /// of.
  [[nodiscard]] std::uint32_t countdown() const { return countdown_; }
  /// What a partner has sent.
  void learn(std::uint32_t countdown);

  /// Collective, without communication. The next round is open.
  void reset(int steps);

 private:
  const Comm* comm_;
  Opening opening_;
  int steps_;
  std::optional<AnyRank> any_wish_; // Opening::at_once
  std::uint32_t countdown_ = 0; // rounds until an open one, this one included; 0: none is known of
  bool open_ = false;           // as far as this rank knows
  bool open_next_ = false;      // all ranks know
};

} // namespace isthmus::comm
