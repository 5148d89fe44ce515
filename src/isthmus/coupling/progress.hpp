// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/iteration/convergence.hpp"

#include <string>

namespace isthmus::coupling {

/// How many lines may be said: 200 at once, then two in a second. A line that follows another one
/// within a millisecond counts as 25, since to write it may take longer than the step.
class LineAllowance {
 public:
  /// Whether a line may be said now, which is then one less. `clock` in seconds, never less than
  /// before; `reserve`: lines that are kept for others.
  [[nodiscard]] bool take(double clock, double reserve);

 private:
  static constexpr double most = 200; // lines at once

  double left_ = most;
  double asked_ = 0; // clock
};

/// Says in the log where a run is: which windows are done, and what lies between. A line within a
/// window names its iteration, so that a time that goes back has its reason beside it. A run of
/// some hundred lines has all of them, or the first seven where they follow one another within a
/// millisecond; a longer one that is fast has two in a second, with the number of those that are
/// left out.
class Progress {
 public:
  /// `log` must outlive the object.
  explicit Progress(const Log& log) : log_(log) {}

  /// A step of the solver ended within a window. `iteration`: 0 where windows do not repeat.
  void step(int window, int iteration, double time);
  /// What was measured in an iteration, beside the limits.
  void measured(int window, int iteration, const iteration::Convergence& convergence);
  /// A window is computed again from its start on; `iteration`: the coming one.
  void repeat(int window, int iteration, double start);

  /// The iterations of a window that is over.
  struct Repetitions {
    int count = 0; // 0: windows do not repeat
    bool meets_limits = true;
  };
  /// A window is over. The last one of a run is said in any case.
  void end(int window, Repetitions iterations, double time, bool is_last);

 private:
  [[nodiscard]] bool is_due(double reserve);
  void say(std::string line);

  const Log& log_;
  LineAllowance allowance_;
  int left_out_ = 0; // since the last line
};

} // namespace isthmus::coupling
