// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <bit>
#include <cstdint>

namespace isthmus::comm {

/// A barrier of ceil(log2 size) plain messages (dissemination barrier): the token of step s goes to
/// the rank 2^s above once that of step s - 1 has come from below. Tokens carry flags, and in the
/// end everybody knows those of all.
class Dissemination {
 public:
  explicit Dissemination(const Comm& comm)
      : comm_(comm), steps_(std::bit_width(static_cast<unsigned>(comm.size() - 1))) {}

  /// All tokens have come.
  [[nodiscard]] bool is_complete() const { return arrived_ == (std::uint32_t{1} << steps_) - 1; }
  [[nodiscard]] std::uint8_t flags() const { return flags_; } ///< known so far of all ranks

  /// This rank has come to the barrier. What is due goes out by send(rank, step, flags).
  template <typename Send>
  void enter(std::uint8_t flags, Send send) {
    flags_ |= flags;
    entered_ = true;
    advance(send);
  }
  /// A token has come.
  template <typename Send>
  void receive(int step, std::uint8_t flags, Send send) {
    flags_ |= flags;
    arrived_ |= std::uint32_t{1} << step;
    advance(send);
  }

 private:
  template <typename Send>
  void advance(Send& send) {
    const auto ranks = static_cast<std::int64_t>(comm_.size());
    while (entered_ && step_ < steps_ && (step_ == 0 || (arrived_ >> (step_ - 1) & 1U) != 0)) {
      send(static_cast<int>((comm_.rank() + (std::int64_t{1} << step_)) % ranks), step_, flags_);
      ++step_;
    }
  }

  const Comm& comm_;
  int steps_;
  int step_ = 0;              // next to send
  std::uint32_t arrived_ = 0; // one bit per step
  bool entered_ = false;
  std::uint8_t flags_ = 0;
};

} // namespace isthmus::comm
