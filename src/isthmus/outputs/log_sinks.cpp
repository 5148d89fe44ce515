// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/log_sinks.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/logging/log_filter.hpp"
#include "isthmus/logging/log_format.hpp"

#include <cstdio>
#include <memory>

namespace isthmus::outputs {

namespace {

std::shared_ptr<std::FILE> open(const config::Sink& settings, const std::string& place) {
  if (settings.type != config::SinkType::file) {
    return {settings.output == "stderr" ? stderr : stdout, [](std::FILE*) {}};
  }
  std::FILE* const file = std::fopen(settings.output.c_str(), "w");
  check(file != nullptr, "{}: cannot open the file \"{}\" for writing", place, settings.output);
  return {file, [](std::FILE* opened) { std::fclose(opened); }};
}

LogSink line_sink(const config::Sink& settings, const std::string& place) {
  return [format = logging::compile_format(settings.format, place),
          stream = open(settings, place)](const LogRecord& record) {
    const std::string line = format(record) + "\n";
    std::fwrite(line.data(), 1, line.size(), stream.get());
    std::fflush(stream.get());
  };
}

/// A configured sink writes the records that pass its filter: lines of its format, or as the
/// console has them.
LogSink make_sink(const config::Sink& settings) {
  const std::string place = fmt::format("<sink> in line {}", settings.line);
  const logging::LogFilter filter = logging::compile_filter(settings.filter, place);
  const bool is_console = settings.type != config::SinkType::file && settings.format.empty();
  const LogSink write = is_console ? console_sink(Severity::debug, settings.output == "stderr")
                                   : line_sink(settings, place);
  return [filter, write](const LogRecord& record) {
    if (filter(record)) {
      write(record);
    }
  };
}

} // namespace

Log make_log(const config::Log& settings, const std::string& participant, int rank) {
  Log log(participant, rank);
  if (!settings.enabled) {
    return log;
  }
  for (const config::Sink& sink : settings.sinks) {
    if (sink.enabled) {
      log.add_sink(make_sink(sink));
    }
  }
  if (log.is_silent()) {
    log.add_sink(console_sink(Severity::info, false));
  }
  return log;
}

} // namespace isthmus::outputs
