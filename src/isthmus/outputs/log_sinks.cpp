// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/log_sinks.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/logging/log_filter.hpp"
#include "isthmus/logging/log_format.hpp"

#include <cstdio>
#include <memory>

namespace isthmus::outputs {

namespace {

/// A configured sink writes formatted lines that pass its filter.
LogSink make_sink(const config::Sink& settings) {
  const std::string place = fmt::format("<sink> in line {}", settings.line);
  const logging::LogFilter filter =
      settings.filter.empty() ? [](const LogRecord& r) { return r.severity > Severity::debug; }
                              : logging::compile_filter(settings.filter, place);
  std::shared_ptr<std::FILE> stream(settings.output == "stderr" ? stderr : stdout,
                                    [](std::FILE*) {});
  if (settings.type == config::SinkType::file) {
    stream.reset(std::fopen(settings.output.c_str(), "w"), [](std::FILE* f) {
      if (f != nullptr) {
        std::fclose(f);
      }
    });
    check(stream != nullptr, "{}: cannot open the file \"{}\" for writing", place, settings.output);
  }
  if (settings.format.empty()) {
    const LogSink console = console_sink(Severity::debug, settings.output == "stderr");
    if (settings.type != config::SinkType::file) {
      return [filter, console](const LogRecord& record) {
        if (filter(record)) {
          console(record);
        }
      };
    }
  }
  const logging::LogFormat format = logging::compile_format(
      settings.format.empty() ? "%Participant%:%Rank% %Severity% %Message%" : settings.format,
      place);
  return [filter, format, stream](const LogRecord& record) {
    if (filter(record)) {
      const std::string line = format(record) + "\n";
      std::fwrite(line.data(), 1, line.size(), stream.get());
      std::fflush(stream.get());
    }
  };
}

} // namespace

Log make_log(const config::Log& settings, const std::string& participant, int rank) {
  Log log(participant, rank);
  if (!settings.enabled) {
    return log;
  }
  if (settings.sinks.empty()) {
    log.add_sink(console_sink(Severity::info, false));
  }
  for (const config::Sink& sink : settings.sinks) {
    if (sink.enabled) {
      log.add_sink(make_sink(sink));
    }
  }
  return log;
}

} // namespace isthmus::outputs
