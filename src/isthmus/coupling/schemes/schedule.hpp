// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schemes/scheme.hpp"

#include <list>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// All schemes of one participant and its time: who steps until when, and which windows end.
class Schedule {
 public:
  Schedule(std::span<const config::CouplingScheme> schemes, const std::string& self);
  Schedule(const Schedule&) = delete; // there are pointers to schemes
  Schedule& operator=(const Schedule&) = delete;

  [[nodiscard]] std::list<Scheme>& schemes() { return schemes_; }
  [[nodiscard]] const std::list<Scheme>& schemes() const { return schemes_; }
  /// At most one of them; null if there is none.
  [[nodiscard]] Scheme* implicit() const { return implicit_; }
  /// The first scheme with this partner; null if there is none.
  [[nodiscard]] Scheme* find(const std::string& partner);
  /// Of all schemes.
  [[nodiscard]] std::set<std::string> partners() const;

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double step_limit() const; ///< 0 when the coupling is over
  /// 0, unless a step has to be taken again as it was.
  [[nodiscard]] double least_step() const;
  /// Size that the window had in the iteration before, if this participant sets it
  /// (first-participant) and repeats it: what the second participant has sent ends there. Else the
  /// largest double.
  [[nodiscard]] double repeated_size() const;
  [[nodiscard]] bool is_ongoing() const;
  [[nodiscard]] int windows_done() const;
  /// Whether a step ends the current window of every scheme.
  [[nodiscard]] bool ends_windows(double dt) const;
  /// Whether every scheme is at the start of a window, or over.
  [[nodiscard]] bool is_between_windows() const;

  /// Moves the clocks. The schemes of which a window ends; valid until the next step.
  [[nodiscard]] std::vector<Scheme*>& step(double dt);
  /// The implicit scheme goes back to `start`, and the time with it. Explicit schemes take part in
  /// the first iteration of an implicit window only: they stay where they are, since what they have
  /// exchanged within the window is not exchanged again, and wait.
  void repeat(double start);
  /// The implicit scheme has completed its window: the others wait no longer.
  void end_repeating() { repeats_ = false; }
  /// Goes on from the time of an earlier run, to which the schemes have been set.
  void resume(double time) { time_ = time; }

 private:
  [[nodiscard]] bool is_waiting(const Scheme& scheme) const;
  [[nodiscard]] bool takes_step_again() const { return repeats_ && keeps_window_; }

  std::list<Scheme> schemes_;
  Scheme* implicit_ = nullptr;
  double time_ = 0;
  bool repeats_ = false; // a window of the implicit scheme
  double repeated_end_ = 0;
  bool keeps_window_ = false; // which it sets, and other schemes have exchanged for its end
  std::vector<Scheme*> due_;  // after a step, with room for all
};

} // namespace isthmus::coupling
