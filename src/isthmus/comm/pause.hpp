// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"

namespace isthmus::comm {

/// How long a rank looks again and again before it sleeps.
struct SpinPolicy {
  double seconds = 50e-6; ///< a wake-up costs about as much
  bool yield = false;     ///< leave the core to others meanwhile

  /// For this many processes on this host; yields if they outnumber its cores. The environment
  /// variable ISTHMUS_SPIN_US overrides the time (microseconds).
  [[nodiscard]] static SpinPolicy for_processes(int num_local);
};

/// One wait: spins, then tells to sleep, and knows when it has lasted too long.
class Pause {
 public:
  Pause(SpinPolicy policy, double limit_s) : policy_(policy), deadline_(limit_s) {}

  /// Something has moved: starts to spin anew.
  void reset() {
    looks_ = 0;
    idle_since_ = 0;
  }
  /// Passes a moment. False if it is time to sleep.
  bool spin();
  [[nodiscard]] bool passed() const { return deadline_.passed(); }
  [[nodiscard]] const Deadline& deadline() const { return deadline_; }

 private:
  SpinPolicy policy_;
  Deadline deadline_;
  double idle_since_ = 0; // 0: not known yet
  int looks_ = 0;
};

} // namespace isthmus::comm
