// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/call_profile.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"

namespace isthmus::participant {

namespace {

bool is_trace_wanted() {
  const char* text = environment_variable("ISTHMUS_TRACE");
  return text != nullptr && std::string_view(text) == "1";
}

} // namespace

CallProfile::CallProfile(const CallNames& calls, const comm::Comm& comm, const Log& log)
    : calls_(calls),
      trace_(is_trace_wanted() ? Detail::phases : Detail::nothing),
      profile_(trace_, comm, log) {}

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
