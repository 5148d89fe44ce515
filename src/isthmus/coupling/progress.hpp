// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"

namespace isthmus::coupling {

/// Says in the log where a run is, a few times in a second at most: which windows are done, and
/// what lies between. A line within a window names its iteration, so that a time that goes back has
/// its reason beside it.
class Progress {
 public:
  /// `log` must outlive the object.
  explicit Progress(const Log& log) : log_(log) {}

  /// A step of the solver ended within a window. `iteration`: 0 where windows do not repeat.
  void step(int window, int iteration, double time);
  /// A window is computed again from its start on; `iteration`: the coming one.
  void repeat(int window, int iteration, double start);
  /// A window is over. `iterations`: of it, 0 where windows do not repeat; the last one of a run is
  /// said in any case.
  void end(int window, int iterations, double time, bool is_last);

 private:
  [[nodiscard]] bool is_due();

  const Log& log_;
  double last_ = 0;     // line, of the clock
  double last_end_ = 0; // likewise, of a window
};

} // namespace isthmus::coupling
