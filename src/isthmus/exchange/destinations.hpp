// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/bricks.hpp"
#include "isthmus/exchange/particles.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::exchange {

/// The ranks that need each of the owned particles of a rank.
class Destinations {
 public:
  struct Destination {
    int owner;                  // of the position
    std::span<const int> ranks; // all that need it, the owner included
    bool beyond;                // one of them is a stranger
  };

  /// Finds those within `radius` of which each particle is. `is_stranger`: whether messages to a
  /// rank need an open round.
  void find(const Particles& particles, const Bricks& bricks, int self, double radius,
            const std::function<bool(int rank)>& is_stranger);

  /// Of owned particle i.
  [[nodiscard]] Destination of(std::size_t i) const;
  /// Some particle needs a stranger.
  [[nodiscard]] bool needs_strangers() const { return needs_strangers_; }
  /// Names a particle whose position is not finite, if there is any. It goes nowhere.
  [[nodiscard]] const std::optional<std::string>& failure() const { return failure_; }

 private:
  struct Entry {
    int owner;
    std::size_t end; // of its ranks in `ranks_`
    bool beyond;
  };

  std::vector<Entry> entries_;
  std::vector<int> ranks_;
  bool needs_strangers_ = false;
  std::optional<std::string> failure_;
};

/// Whether all coordinates are numbers.
[[nodiscard]] bool is_finite(const Position& at);

} // namespace isthmus::exchange
