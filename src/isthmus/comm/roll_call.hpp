// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <optional>

namespace isthmus::comm {

/// Notices where some ranks leave while others go on, which otherwise nobody would: they meet in no
/// message, or MPI takes the end of one for a step of the other. Nothing is sent before the end.
class RollCall {
 public:
  /// `comm` must outlive the object.
  explicit RollCall(const Comm& comm) : comm_(comm) {}
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  /// Collective. This rank has made so many steps and makes no more. Error if others have made more
  /// or fewer, on some ranks; what they do about it ends the wait of the others.
  void leave(std::int64_t num_steps);
  /// False if the rank before has left after fewer steps than these, which this rank has begun.
  [[nodiscard]] bool is_complete(std::int64_t num_steps);

 private:
  [[nodiscard]] int before(int distance) const {
    return (comm_.rank() + comm_.size() - distance) % comm_.size();
  }

  const Comm& comm_;
  std::optional<std::int64_t> received_; // from the rank before
};

} // namespace isthmus::comm
