// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/sparse/neighbours.hpp"
#include "isthmus/comm/sparse/open_rounds.hpp"
#include "isthmus/comm/sparse/strangers.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::comm {

/// Exchange that is repeated with mostly the same partners and any lengths. Partners get one
/// message each that says its own length (see Neighbours), whether anything changed or not;
/// strangers are reached in open rounds, by consensus, and become partners; partners that were
/// found so and had nothing to say for a while are forgotten. All ranks begin and finish rounds
/// together, one round at a time on a communicator.
class Remembered {
 public:
  /// What came from a rank.
  struct Received {
    int rank;
    std::span<const std::byte> bytes;
  };
  /// What a size message to each partner ahead of each round would have cost.
  struct Saved {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
  };

  /// Without partners at first; strangers become partners, until neither has anything to say for a
  /// while.
  explicit Remembered(const Comm& comm);
  /// With these partners only: ascending, without the own rank, and whoever names a rank is named
  /// by it. Opening::later needs a bound for the steps from partner to partner between any two
  /// ranks.
  Remembered(const Comm& comm, std::span<const int> partners, Opening opening = Opening::at_once,
             int steps = 1);

  [[nodiscard]] const Neighbours& partners() const { return neighbours_; }
  [[nodiscard]] Opening opening() const { return rounds_.opening(); }

  /// Collective. Begins a round. `wish`: this rank wants it open (Opening::by_caller: some rank
  /// does). Returns whether this rank knows that it is: then it can reach strangers and report a
  /// failure. Opening::at_once: a rank that did not wish it learns of it in finish().
  /// Opening::later: the round that was wished for is open `steps` rounds after this one.
  bool begin(bool wish, Traffic* traffic = nullptr) { return rounds_.begin(wish, traffic); }
  /// Adds to what goes to `rank`, itself included. A stranger can be reached in an open round only.
  void append(int rank, std::span<const std::byte> bytes);
  /// Collective. Sends and receives. In an open round, what one rank brings as a failure all throw.
  /// Returns what came, ascending by source; until the next round.
  std::span<const Received> finish(const std::optional<std::string>& failure = {},
                                   Traffic* traffic = nullptr);

  /// Collective, without communication. These partners only from now on; the next round is open.
  void reset(std::span<const int> partners, int steps = 1);

  [[nodiscard]] const Saved& saved() const { return saved_; }

 private:
  void meet_strangers(const std::optional<std::string>& failure, Traffic* traffic);
  void forget_idle();

  const Comm* comm_;
  OpenRounds rounds_;
  bool learns_ = false; // strangers become partners
  Neighbours neighbours_;
  std::map<int, int> found_; // partners that were strangers, and for how many rounds they are idle
  Strangers strangers_;
  std::vector<std::byte> to_self_;
  std::vector<std::byte> from_self_;
  std::vector<Received> received_;
  Saved saved_;
};

} // namespace isthmus::comm
