// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/event_lines.hpp"

#include "isthmus/base/host.hpp"
#include "isthmus/base/text/json_text.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>

namespace isthmus::outputs {

namespace {

constexpr int format_version = 1;
constexpr std::size_t most_events = 1'000'000; // of a line

std::int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

/// What the clock of this process shows at `time` of now(), for comparison with others.
std::string describe_clock(double time) {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  const double before = now() - time;
  return fmt::format(R"("host": {}, "clock": {}, "wall": {})", json_text(host_id()),
                     nanoseconds(time),
                     std::chrono::nanoseconds(since_epoch).count() - nanoseconds(before));
}

} // namespace

void EventLines::open(const std::string& folder, const std::string& participant,
                      std::string_view mode) {
  io::make_folder(folder);
  file_ = TableFile(std::filesystem::path(folder) / (participant + ".jsonl"));
  file_.put(fmt::format(R"({{"isthmus-profile": {}, "participant": {}, "ranks": {}, "mode": {}}})"
                        "\n",
                        format_version, json_text(participant), comm_.size(), json_text(mode)));
}

std::size_t EventLines::take(const Trace& trace, std::size_t first) {
  const std::size_t end = std::min(trace.events().size(), first + most_events);
  std::string line = line_of(trace, first, end);
  if (comm_.is_root()) {
    file_.put(line);
  } else {
    post_.send(std::move(line));
  }
  return end;
}

std::string EventLines::line_of(const Trace& trace, std::size_t first, std::size_t end) {
  fmt::memory_buffer line;
  const auto to = std::back_inserter(line);
  fmt::format_to(to, R"({{"rank": {})", comm_.rank());
  if (!is_introduced_) {
    fmt::format_to(to, ", {}", describe_clock(zero_));
    is_introduced_ = true;
  }
  fmt::format_to(to, R"(, "paths": [)");
  const std::vector<std::string>& paths = trace.paths();
  for (const char* comma = ""; paths_written_ < paths.size(); comma = ", ") {
    fmt::format_to(to, "{}{}", comma, json_text(paths[paths_written_++]));
  }
  fmt::format_to(to, R"(], "events": [)");
  const char* comma = "";
  for (std::size_t i = first; i < end; ++i, comma = ",") {
    const Trace::Event& event = trace.events()[i];
    fmt::format_to(to, "{}{},{},{}", comma, event.path, nanoseconds(event.begin - zero_),
                   nanoseconds(event.end - zero_) - nanoseconds(event.begin - zero_));
  }
  fmt::format_to(to, "]}}\n");
  return fmt::to_string(line);
}

void EventLines::receive() {
  post_.receive([this](const std::string& text) { file_.put(text); });
}

void EventLines::finish() {
  post_.finish([this](const std::string& text) { file_.put(text); });
}

void EventLines::end(std::string_view how, std::string_view reason) {
  file_.put(fmt::format(R"({{"end": {}, "reason": {}}})"
                        "\n",
                        json_text(how), json_text(reason)));
  file_ = {};
}

} // namespace isthmus::outputs
