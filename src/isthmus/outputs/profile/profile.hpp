// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/outputs/profile/event_file.hpp"
#include "isthmus/outputs/profile/event_lines.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace isthmus::outputs {

/// What is measured: what the configuration says, or what the environment variable ISTHMUS_PROFILE
/// does, which wants one file of all ranks. Throws Error if that is no mode.
[[nodiscard]] config::Profiling with_environment(config::Profiling settings);

/// Separates steering calls from the solver's time, and writes what is in the traces of all ranks:
/// each rank a file, or the first one a file of all (docs/profiling.md). A file that cannot be
/// written is a warning. Costs a comparison per call if nothing is recorded.
class Profile {
 public:
  /// The arguments must outlive the object.
  Profile(Trace& trace, const comm::Comm& comm, const Log& log)
      : trace_(trace), comm_(comm), log_(log) {}

  /// Whether the trace keeps all spans for who asks, whatever goes to the file.
  [[nodiscard]] bool keeps_spans() const { return keeps_spans_; }

  /// At the end of the construction, which has begun at `began`; makes the file.
  void start(const config::Profiling& settings, const std::string& participant, double began);

  /// A steering call, from construction to destruction; then the solver has the word.
  class Call {
   public:
    Call(Profile* profile, std::string_view name, std::string_view next)
        : profile_(profile), next_(next) {
      if (profile_ != nullptr) {
        profile_->begin_call(name);
      }
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
      if (profile_ != nullptr) {
        profile_->end_call(next_);
      }
    }

   private:
    Profile* profile_; // null: not recorded
    std::string_view next_;
  };

  /// `next`: name of the time after it, none if empty.
  [[nodiscard]] Call call(std::string_view name, std::string_view next = "solver.advance") {
    return {trace_.records(Detail::steering) ? this : nullptr, name, next};
  }

  /// Collective. Waits for the other ranks if the configuration wants that, and measures it.
  void synchronize();

  /// Collective. Completes the file.
  void finish() noexcept;
  /// Writes what this rank knows, if it is the first one, and that the run has failed.
  void fail(std::string_view reason) noexcept;

 private:
  [[nodiscard]] Detail detail_of(std::string_view call) const;
  void begin_call(std::string_view name);
  void end_call(std::string_view next) noexcept;
  /// Puts what is recorded on its way, and takes what others have sent.
  void flush();
  /// All events that have not been sent, to the file of all ranks.
  void take_all();
  void open_shared(const std::string& participant);
  void open_own(const std::string& participant);
  /// Whether this rank measures: all do if the configuration says so, else those that suffice.
  [[nodiscard]] bool has_part() const;
  void forget_written();
  void end_own() noexcept;

  Trace& trace_;
  const comm::Comm& comm_;
  const Log& log_;
  bool keeps_spans_ = false;
  config::Profiling settings_;
  std::optional<EventFile> own_;     // none: no file of this rank is wanted
  std::optional<EventLines> shared_; // none: no file of all ranks is wanted
  double zero_ = 0;                  // of the times in the file, seconds of now()
  double flushed_ = 0;               // when the shared file got something, likewise
  std::size_t events_written_ = 0;   // of those that the trace holds
};

} // namespace isthmus::outputs
