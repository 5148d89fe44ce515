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
  const LogRecord record{severity, participant_, rank_, text};
  for (const LogSink& sink : sinks_) {
    sink(record);
  }
}

LogSink console_sink(Severity least, bool to_stderr) {
  return [least, to_stderr](const LogRecord& record) {
    if (record.severity < least) {
      return;
    }
    const std::string mark = record.severity == Severity::warning ? "WARNING: "
                             : record.severity == Severity::error ? "ERROR: "
                                                                  : "";
    const std::string line = fmt::format("---[isthmus] {}:{} {}{}\n", record.participant,
                                         record.rank, mark, record.text);
    std::FILE* stream = to_stderr ? stderr : stdout;
    std::fwrite(line.data(), 1, line.size(), stream);
    std::fflush(stream);
  };
}

} // namespace isthmus
