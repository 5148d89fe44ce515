// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/trace.hpp"
#include "isthmus/outputs/profile/profile.hpp"
#include "isthmus/participant/call_names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace isthmus::participant {

/// What is measured of the calls of a participant, and the sections of the solver's own between
/// them.
class CallProfile {
 public:
  /// The arguments must outlive the object.
  CallProfile(const CallNames& calls, const comm::Comm& comm, const Log& log);

  /// ISTHMUS_TRACE=1 keeps the phases from now on. Error where it is no switch.
  void look_at_environment();

  [[nodiscard]] Trace& trace() { return trace_; }
  [[nodiscard]] outputs::Profile& steering() { return profile_; }
  /// The phases so far, where they are kept.
  [[nodiscard]] std::vector<Span> spans() const;

  void start_section(std::string_view name);
  void stop_section();
  /// Error where one is open in `call`.
  void check_no_open_sections(std::string_view call) const;

 private:
  const CallNames& calls_;
  Trace trace_;
  outputs::Profile profile_;
  std::vector<std::string> sections_;
};

} // namespace isthmus::participant
