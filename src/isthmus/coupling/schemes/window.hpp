// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace isthmus::coupling {

/// The time of one coupling scheme as one participant sees it: windows, steps inside them, the end.
/// Window ends are multiples of the size, steps are summed with compensation, and a rest that only
/// rounding left is absorbed into the step before it.
class Window {
 public:
  enum class Size {
    fixed,    // configured
    dictated, // every step of this participant is a window (method first-participant, first)
    followed  // sent by the first participant with its data (the second)
  };

  Window(Size kind, double size, std::optional<double> max_time, std::optional<int> max_windows);

  /// Largest step that advance() takes now; 0 after the end, the largest double without any limit.
  [[nodiscard]] double step_limit() const;
  /// One step of the solver, 0 < dt <= step_limit() up to rounding.
  void advance(double dt);
  /// The size of the coming window (followed windows only).
  void set_size(double size) { size_ = size; }
  /// Opens the next window; only when complete.
  void open_next();
  /// Goes back to the start of the window.
  void repeat();

  /// The start of a window, for a restart.
  struct Start {
    int number = 0; // completed windows
    double time = 0;
    double compensation = 0;
    double size = 0;
  };
  [[nodiscard]] Start at_start() const { return {number_, start_, compensation_, size_}; }
  /// Goes on from there, as far as the configured end is later. Error if an earlier end of the run
  /// cut that window short.
  void resume(const Start& start);

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double start() const { return start_; }
  /// End of the current window.
  [[nodiscard]] double end() const;
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] int number() const { return number_; } ///< completed windows
  /// True between the step that reached the end of the window and open_next().
  [[nodiscard]] bool complete() const { return complete_; }
  /// False once all windows are done: then there is no next one to open.
  [[nodiscard]] bool ongoing() const { return ongoing_; }
  /// True if the window that is complete now is the last one.
  [[nodiscard]] bool is_last() const { return is_over(number_ + 1); }

 private:
  [[nodiscard]] bool is_over(int windows) const;

  Size kind_;
  double size_;
  std::optional<double> max_time_;
  std::optional<int> max_windows_;
  double start_ = 0;
  double time_ = 0;
  double compensation_ = 0; // of the sum in time_
  int number_ = 0;
  bool complete_ = false;
  bool ongoing_ = true;
};

} // namespace isthmus::coupling
