// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/call_profile.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"

namespace isthmus::participant {

CallProfile::CallProfile(const CallNames& calls, const comm::Comm& comm, const Log& log)
    : calls_(calls), profile_(trace_, comm, log) {}

void CallProfile::look_at_environment() {
  if (environment_switch("ISTHMUS_TRACE")) {
    trace_.set_detail(Detail::phases);
  }
}

std::vector<Span> CallProfile::spans() const {
  return profile_.keeps_spans() ? trace_.spans() : std::vector<Span>();
}

void CallProfile::check_no_open_sections(std::string_view call) const {
  check(sections_.empty(), "the profiling section \"{}\" is still open; stop it before {}()",
        sections_.empty() ? "" : sections_.back(), call);
}

void CallProfile::start_section(std::string_view name) {
  check(name.find('/') == std::string_view::npos,
        "the name \"{}\" of a profiling section must not contain \"/\"", name);
  sections_.emplace_back(name);
  if (trace_.records(Detail::steering)) {
    trace_.open(name);
  }
}

void CallProfile::stop_section() {
  check(!sections_.empty(), "{}() was called, but no section is open",
        calls_[Call::stop_last_profiling_section]);
  sections_.pop_back();
  if (trace_.records(Detail::steering)) {
    trace_.close();
  }
}

} // namespace isthmus::participant
