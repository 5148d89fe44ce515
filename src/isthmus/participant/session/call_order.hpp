// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace isthmus::participant {

/// Which calls the solver can make, where a participant stands between its construction and its
/// end; and what went wrong in the last one.
class CallOrder {
 public:
  enum class Stage { defining, running, finalized, failed };

  [[nodiscard]] bool is(Stage stage) const { return stage_ == stage; }
  void enter(Stage stage) { stage_ = stage; }

  // Errors that name the call of the solver where it cannot be made at this stage.
  void check_not_failed(std::string_view call) const;
  void check_not_finalized(std::string_view call) const;
  /// Between initialize() and finalize().
  void check_running(std::string_view call) const;

  /// What went wrong in a call of the solver, to be reported if it does not go on.
  void note_failure(std::string_view what) { last_failure_ = what; }
  void forget_failure() {
    last_failure_.clear();
    num_refused_ = 0;
  }
  /// A step was refused. True if so many were, one after the other, that the solver will hardly
  /// mend it, while others wait.
  [[nodiscard]] bool refuse_step() { return ++num_refused_ >= most_refused; }
  /// Empty if the last call went well.
  [[nodiscard]] const std::string& last_failure() const { return last_failure_; }

 private:
  static constexpr int most_refused = 100;

  Stage stage_ = Stage::defining;
  std::string last_failure_;
  int num_refused_ = 0; // steps since the last one that was taken
};

} // namespace isthmus::participant
