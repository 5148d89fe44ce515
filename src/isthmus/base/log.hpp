// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/core.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus {

enum class Severity { debug, info, warning, error };

[[nodiscard]] std::string_view name(Severity severity);

/// One line of the log before it is formatted.
struct LogRecord {
  Severity severity;
  std::string_view participant;
  int rank;
  std::string_view text;
};

/// Where records go. A sink decides itself which it drops.
using LogSink = std::function<void(const LogRecord&)>;

/// The logger of one participant. No global: whoever logs holds a reference.
class Log {
 public:
  /// Silent logger, for tests.
  Log() = default;
  Log(std::string participant, int rank) : participant_(std::move(participant)), rank_(rank) {}

  void add_sink(LogSink sink) { sinks_.push_back(std::move(sink)); }

  template <typename... Args>
  void debug(fmt::format_string<Args...> text, Args&&... args) const {
    if (!sinks_.empty()) {
      write(Severity::debug, fmt::format(text, std::forward<Args>(args)...));
    }
  }
  /// Informs once per participant: only rank 0 speaks.
  template <typename... Args>
  void info(fmt::format_string<Args...> text, Args&&... args) const {
    if (rank_ == 0 && !sinks_.empty()) {
      write(Severity::info, fmt::format(text, std::forward<Args>(args)...));
    }
  }
  template <typename... Args>
  void warning(fmt::format_string<Args...> text, Args&&... args) const {
    write(Severity::warning, fmt::format(text, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void error(fmt::format_string<Args...> text, Args&&... args) const {
    write(Severity::error, fmt::format(text, std::forward<Args>(args)...));
  }

  /// Nobody receives what is said; the same on all ranks of a participant.
  [[nodiscard]] bool is_silent() const { return sinks_.empty(); }
  [[nodiscard]] const std::string& participant() const { return participant_; }
  [[nodiscard]] int rank() const { return rank_; }

 private:
  void write(Severity severity, const std::string& text) const;

  std::string participant_;
  int rank_ = 0;
  std::vector<LogSink> sinks_;
};

/// Says things once that come up again and again.
class LogOnce {
 public:
  /// `log` must outlive the object.
  explicit LogOnce(const Log& log) : log_(log) {}

  /// Informs of the first `text` about a thing; what comes later about the same thing is dropped.
  void info(const std::string& thing, const std::string& text) {
    if (things_.insert(thing).second) {
      log_.info("{}", text);
    }
  }

 private:
  const Log& log_;
  std::set<std::string> things_;
};

/// Sink that writes "---[isthmus] participant:rank text" lines to stdout or stderr from `least` on.
[[nodiscard]] LogSink console_sink(Severity least, bool to_stderr);

} // namespace isthmus
