// SPDX-License-Identifier: BSD-3-Clause
// What a session measures: sections of the solver's own, and statistics.
#include "isthmus/base/error.hpp"
#include "isthmus/participant/session.hpp"

namespace isthmus::participant {

void Session::check_no_open_sections(const char* call) const {
  check(sections_.empty(), "the profiling section \"{}\" is still open; stop it before {}()",
        sections_.empty() ? "" : sections_.back(), call);
}

void Session::start_section(std::string_view name) {
  check(name.find('/') == std::string_view::npos,
        "the name \"{}\" of a profiling section must not contain \"/\"", name);
  sections_.emplace_back(name);
  if (trace_.records(Detail::steering)) {
    trace_.open(name);
  }
}

void Session::stop_section() {
  check(!sections_.empty(), "{}() was called, but no section is open",
        calls_[Call::stop_last_profiling_section]);
  sections_.pop_back();
  if (trace_.records(Detail::steering)) {
    trace_.close();
  }
}

Statistics Session::statistics() const {
  Statistics result;
  const transport::LinkTraffic traffic = hub_.traffic();
  result.messages_sent = traffic.messages_out;
  result.bytes_sent = traffic.bytes_out;
  result.messages_received = traffic.messages_in;
  result.bytes_received = traffic.bytes_in;
  result.wait_seconds = hub_.wait_seconds();
  for (transport::LinkId link = 0; link < hub_.size(); ++link) {
    ++result.partners[hub_.peer(link).participant];
    ++result.transports[std::string(hub_.transport(link))];
  }
  if (profile_.keeps_spans()) {
    result.spans = trace_.spans();
  }
  return result;
}

} // namespace isthmus::participant
