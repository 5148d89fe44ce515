// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>

namespace isthmus::flow {

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

} // namespace isthmus::flow
