// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace walks {

/// Ends the job when a call does not come back: a thread that looks at a clock.
class Watch {
 public:
  /// `report` says what this rank is doing; it is called while that hangs.
  Watch(double limit_s, std::function<std::string()> report);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Something has come to an end.
  void beat() { began_ = now(); }

 private:
  [[nodiscard]] static double now();
  void run();

  double limit_s_;
  std::function<std::string()> report_;
  std::atomic<double> began_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;
};

/// What a process holds of the system.
struct Holdings {
  int files = 0;
  int threads = 0;
  int shared = 0;    // segments in /dev/shm of anybody
  long resident = 0; // KiB
};

[[nodiscard]] Holdings holdings();

} // namespace walks
