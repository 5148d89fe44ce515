// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/progress.hpp"
#include "isthmus/coupling/remeshing/remeshing.hpp"
#include "isthmus/coupling/step/iterations.hpp"
#include "isthmus/coupling/step/step_parts.hpp"

#include <cstddef>

namespace isthmus::coupling {

/// One iteration of the implicit scheme: who decides, what is sent again, which windows repeat.
class ImplicitStep {
 public:
  ImplicitStep(StepParts& step, Iterations& iterations, Remeshing& remeshing, Progress& progress)
      : step_(step), iterations_(iterations), remeshing_(remeshing), progress_(progress) {}

  /// The first window begins, of this run or behind one that it continues.
  void start();
  /// At the begin of every step.
  void begin();
  /// Collective with the partners of the scheme, at the end of a window of it. False: all windows
  /// repeat.
  [[nodiscard]] bool run_iteration();
  /// After the last iteration the second participant of a serial scheme waits for what the first
  /// makes of the answer together with the explicit schemes, which the first may have to wait for.
  [[nodiscard]] bool awaits_next() const { return awaits_next_; }
  /// It has come.
  void begin_next();

  /// The solver has to keep its state: this is the start of a window that may be repeated.
  [[nodiscard]] bool starts_iterating() const { return starts_iterating_; }
  /// The solver has to go back to the state it kept.
  [[nodiscard]] bool repeats_window() const { return repeats_window_; }

 private:
  [[nodiscard]] Scheme& scheme() { return *step_.schedule.implicit(); }
  void lead();
  void follow();
  void end_iteration(bool by_arrival);
  void report_repeat();
  void repeat_windows(double start);
  void post_verdict();
  [[nodiscard]] Iterations::Verdict receive_with_verdict();
  [[nodiscard]] Iterations::Verdict receive_verdict();

  StepParts& step_;
  Iterations& iterations_;
  Remeshing& remeshing_;
  Progress& progress_;
  bool starts_iterating_ = false;
  bool repeats_window_ = false;
  bool awaits_next_ = false; // of the first one
  std::byte verdict_{};      // on its way
};

} // namespace isthmus::coupling
