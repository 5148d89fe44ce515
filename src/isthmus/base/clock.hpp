// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <limits>

namespace isthmus {

using Clock = std::chrono::steady_clock;

/// Seconds of a clock that never jumps.
[[nodiscard]] inline double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// The end of a wait. Every wait in Isthmus has one.
class Deadline {
 public:
  explicit Deadline(double seconds) : start_(now()), limit_(seconds) {}
  [[nodiscard]] bool passed() const { return now() - start_ > limit_; }
  [[nodiscard]] double elapsed() const { return now() - start_; }
  [[nodiscard]] double left() const { return limit_ - elapsed(); }
  [[nodiscard]] double limit() const { return limit_; }

 private:
  double start_;
  double limit_; // seconds
};

} // namespace isthmus
