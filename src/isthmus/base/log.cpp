// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/log.hpp"

#include <cstdio>

namespace isthmus {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::debug:
      return "debug";
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

void Log::write(Severity severity, const std::string& text) const {
  pass_on(severity, text);
  flush();
}

void Log::info_held(const std::string& text, double clock) const {
  if (rank_ != 0) {
    return;
  }
  pass_on(Severity::info, text);
  if (held_since_ == 0) {
    held_since_ = clock;
  }
}

void Log::write_held(double clock) const {
  constexpr double longest = 1e-3; // seconds
  if (held_since_ > 0 && clock - held_since_ >= longest) {
    flush();
  }
}

void Log::pass_on(Severity severity, const std::string& text) const {
  const LogRecord record{severity, participant_, rank_, text};
  for (const LogSink& sink : sinks_) {
    sink.write(record);
  }
}

void Log::flush() const {
  for (const LogSink& sink : sinks_) {
    sink.flush();
  }
  held_since_ = 0;
}

LogSink console_sink(Severity least, bool to_stderr) {
  std::FILE* const stream = to_stderr ? stderr : stdout;
  const auto write = [least, stream](const LogRecord& record) {
    if (record.severity < least) {
      return;
    }
    const std::string mark = record.severity == Severity::warning ? "WARNING: "
                             : record.severity == Severity::error ? "ERROR: "
                                                                  : "";
    const std::string line = fmt::format("---[isthmus] {}:{} {}{}\n", record.participant,
                                         record.rank, mark, record.text);
    std::fwrite(line.data(), 1, line.size(), stream);
  };
  return {write, [stream] { std::fflush(stream); }};
}

} // namespace isthmus
