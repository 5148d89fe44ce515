// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schemes/window.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/message_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// One coupling scheme as one participant takes part in it.
///
/// parallel: all step at the same time with what the others had at the end of the last window.
/// first: steps, sends, and gets what the second made of it; second: steps with what the first has
/// sent for the same window.
/// In an implicit scheme one participant leads: the second one, or the controller of several. It
/// decides at the end of a window whether it is repeated, and says so with its data.
class Scheme {
 public:
  enum class Role { parallel, first, second };

  /// `self`: this participant; must outlive the object as `settings`. `number`: in the
  /// configuration, the same for all participants.
  Scheme(const config::CouplingScheme& settings, const std::string& self, int number);

  /// Lists the fields that cross, by the plans of now.
  void connect(fields::Items& all);
  /// Adds links over which ranks without data learn of resets, after connect().
  void listen(const fields::Listeners& listeners);

  [[nodiscard]] Role role() const { return role_; }
  [[nodiscard]] const std::vector<std::string>& partners() const { return partners_; }
  [[nodiscard]] const config::CouplingScheme& settings() const { return settings_; }
  /// Kinds of messages that other schemes of the same participants do not see: what one sends early
  /// waits for its turn.
  [[nodiscard]] transport::Kind kind(transport::Kind of) const {
    constexpr int kinds = 256;
    return static_cast<transport::Kind>(static_cast<int>(of) + kinds * (number_ % (kinds - 1)));
  }
  [[nodiscard]] bool is_implicit() const { return settings_.implicit(); }
  [[nodiscard]] bool leads() const { return leads_; }
  [[nodiscard]] Window& window() { return window_; }
  [[nodiscard]] const Window& window() const { return window_; }
  [[nodiscard]] fields::MessageSet& initial() { return initial_; } ///< data with initialize="true"
  [[nodiscard]] fields::MessageSet& regular() { return regular_; }
  [[nodiscard]] const fields::MessageSet& regular() const { return regular_; }

  /// The first participant sends the size of the window to the second.
  [[nodiscard]] bool sends_window_size() const {
    return settings_.time_window.set_by_first_participant && role_ == Role::first;
  }
  [[nodiscard]] bool follows_window_size() const {
    return settings_.time_window.set_by_first_participant && role_ == Role::second;
  }
  /// The participant goes back to `start` with another scheme, this one does not: from now on its
  /// single samples are those that stood there when its own clock, set back as well, shows their
  /// time.
  void set_back(double start) { behind_ = std::max(0.0, window_.start() - start); }
  [[nodiscard]] double behind() const { return behind_; }
  void resume_behind(double behind) { behind_ = behind; }
  /// What goes out at the end of the window.
  [[nodiscard]] fields::Extract extract() const {
    fields::Extract result(window_.start());
    result.behind = behind_;
    return result;
  }
  /// What was received before is the start of the next window (second), or is replaced.
  void open_incoming();
  /// This participant's time of the end of the window that what arrives belongs to.
  [[nodiscard]] double arrival_time() const {
    return role_ == Role::second ? window_.end() : window_.time();
  }
  /// Sums of steps differ in their last bits between participants: samples at the end of a window
  /// get this participant's time of it.
  void set_arrival_times();
  /// Whether data of the partner arrives when the current window is complete.
  [[nodiscard]] bool receives_at_end() const { return role_ != Role::second || !window_.is_last(); }

 private:
  const config::CouplingScheme& settings_;
  const std::string& self_;
  int number_;
  Role role_;
  bool leads_;
  std::vector<std::string> partners_;
  Window window_;
  double behind_ = 0; // of its clock
  fields::MessageSet initial_;
  fields::MessageSet regular_;
};

} // namespace isthmus::coupling
