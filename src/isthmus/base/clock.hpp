// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <ctime>
#include <limits>

namespace isthmus {

using Clock = std::chrono::steady_clock;

/// Seconds of a clock that never jumps.
[[nodiscard]] inline double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Processor time of this thread in seconds: it does not grow while others have the core.
[[nodiscard]] inline double thread_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Adds the processor time of its life to a sum.
class BusyTime {
 public:
  explicit BusyTime(double& sum) : sum_(sum), start_(thread_time()) {}
  BusyTime(const BusyTime&) = delete;
  BusyTime& operator=(const BusyTime&) = delete;
  ~BusyTime() { sum_ += thread_time() - start_; }

 private:
  double& sum_;
  double start_;
};

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
