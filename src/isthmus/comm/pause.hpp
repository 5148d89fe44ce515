// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"

namespace isthmus::comm {

/// How long a rank looks again and again before it sleeps.
struct SpinPolicy {
  double seconds = 50e-6; ///< a wake-up costs about as much
  bool yield = false;     ///< leave the core to others meanwhile

  /// For this many processes on this host; yields if they outnumber its cores. The environment
  /// variable ISTHMUS_SPIN_US overrides the time (microseconds); Error if it is no number.
  [[nodiscard]] static SpinPolicy for_processes(int num_local);
};

/// Whether others want the core of this rank, which then loses its turn if it looks again and
/// again: who has slept goes first, and a yield, ours or one of MPI's in each look, ends when all
/// others have had their turns.
class Crowd {
 public:
  /// For how long it is taken to be there after it was noticed.
  explicit Crowd(double memory_s) : memory_s_(memory_s) {}

  /// The rank has looked for so long without a sleep; a few looks take microseconds where it is
  /// alone.
  void looked(double seconds) {
    constexpr double turn_s = 1e-3;
    if (seconds > turn_s) {
      until_ = now() + memory_s_;
    }
  }
  [[nodiscard]] bool is_here() const { return until_ > 0 && now() < until_; }

 private:
  double memory_s_;
  double until_ = 0;
};

/// One wait: spins, then says that it is time to sleep, and knows when it has lasted too long. Its
/// time begins when there is nothing to do for the first time: a step whose messages are there
/// looks at no clock.
class Pause {
 public:
  Pause(SpinPolicy policy, double limit_s) : policy_(policy), limit_s_(limit_s) {}

  /// Passes a moment. False if it is time to sleep.
  bool spin();
  /// Something has moved, or it has slept: spins anew.
  void reset();
  /// Looks at the clock, to be called before and after sleeping. Seconds left.
  double left();
  /// For how long it has spun since the last reset(), when the clock was last looked at.
  [[nodiscard]] double spin_seconds() const { return time_ - idle_since_; }
  [[nodiscard]] double idle_seconds() const { return idle_s_; } ///< in which nothing moved

 private:
  void look_at_clock();

  SpinPolicy policy_;
  double limit_s_;
  double begin_ = 0;      // of the wait; 0: not yet
  double idle_since_ = 0; // 0: not known yet
  double time_ = 0;       // when the clock was last looked at
  double idle_s_ = 0;
  int looks_ = 0;
};

} // namespace isthmus::comm
