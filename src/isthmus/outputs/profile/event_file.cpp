// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/event_file.hpp"

#include "isthmus/base/text/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

namespace isthmus::outputs {

namespace {

constexpr int file_version = 2;          // of the format
constexpr const char* whole = "_GLOBAL"; // lasts from the first to the last event

std::int64_t microseconds(double seconds) {
  return std::llround(seconds * 1e6);
}

/// Time of the wall clock when now() was `time`, microseconds since 1970.
std::int64_t wall_clock_at(double time) {
  const auto wall = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return wall.count() - microseconds(now() - time);
}

/// A name may hold neither what ends a field nor what ends a line.
std::string one_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ':' || c == '\n' || c == '\r'; }, '_');
  return text == "construct" ? "construction" : text;
}

} // namespace

EventFile::EventFile(const std::string& folder, const std::string& participant, int rank, int size,
                     double zero)
    : file_(fmt::format("{}/{}-{}-{}.txt", folder, participant, rank, size)), zero_(zero) {
  text_ = fmt::format(R"({{"name": {}, "rank": {}, "size": {}, "unix_us": {}, )"
                      R"("file_version": {}, "compression": false}})"
                      "\n",
                      json_text(participant), rank, size, wall_clock_at(zero), file_version);
  put('B', id_of(whole), zero_);
  write();
}

std::int32_t EventFile::id_of(const std::string& text) {
  const auto known = std::find(ids_.begin(), ids_.end(), text);
  if (known != ids_.end()) {
    return static_cast<std::int32_t>(known - ids_.begin());
  }
  ids_.push_back(text);
  fmt::format_to(std::back_inserter(text_), "N{}:{}\n", ids_.size() - 1, text);
  return static_cast<std::int32_t>(ids_.size()) - 1;
}

void EventFile::name_paths(const Trace& trace) {
  const std::vector<std::string>& paths = trace.paths();
  while (names_.size() < paths.size()) {
    const std::string& path = paths[names_.size()];
    std::vector<std::string> around;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = path.find('/', begin)) != std::string::npos; begin = end + 1) {
      around.push_back(path.substr(begin, end - begin));
    }
    const std::string last = path.substr(begin);
    const auto same = std::count(around.begin(), around.end(), last);
    std::string text = one_field(last);
    if (same > 0) { // readers identify what is open by its name
      text += fmt::format(" ({})", same + 1);
    }
    names_.push_back({text, static_cast<int>(around.size()), id_of(text)});
  }
}

void EventFile::put(char kind, std::int32_t id, double time) {
  const fmt::format_int number(id);
  last_ = std::max(last_, microseconds(time - zero_)); // a wait is drawn at its end
  const fmt::format_int stamp(last_);
  text_.push_back(kind);
  text_.append(number.data(), number.size());
  text_.push_back(':');
  text_.append(stamp.data(), stamp.size());
  text_.push_back('\n');
  ++records_;
}

/// Events stand in the trace in the order of their ends; an event begins before those that stand
/// before it and lie deeper.
void EventFile::take(const Trace& trace, int flush_every, std::size_t first_event) {
  name_paths(trace);
  const std::span<const Trace::Event> events = std::span(trace.events()).subspan(first_event);
  const auto depth = [&](int i) {
    return names_[static_cast<std::size_t>(events[static_cast<std::size_t>(i)].path)].depth;
  };
  const int count = static_cast<int>(events.size());
  begins_.clear();
  for (int i = 0; i < count; ++i) {
    int first = i; // of those that lie in it
    while (first > 0 && depth(first - 1) > depth(i)) {
      first = begins_[static_cast<std::size_t>(first) - 1].first;
    }
    begins_.emplace_back(first, i);
  }
  std::sort(begins_.begin(), begins_.end(), [](const auto& one, const auto& other) {
    return one.first != other.first ? one.first < other.first : one.second > other.second;
  });
  auto next = begins_.begin();
  for (int i = 0; i < count; ++i) {
    for (; next != begins_.end() && next->first == i; ++next) {
      const Trace::Event& begun = events[static_cast<std::size_t>(next->second)];
      put('B', names_[static_cast<std::size_t>(begun.path)].id, begun.begin);
    }
    const Trace::Event& event = events[static_cast<std::size_t>(i)];
    put('E', names_[static_cast<std::size_t>(event.path)].id, event.end);
  }
  if (flush_every > 0 && records_ >= flush_every) {
    write();
  }
}

void EventFile::end() {
  put('E', id_of(whole), now());
  write();
  file_ = {};
}

void EventFile::write() {
  file_.put(text_);
  text_.clear();
  records_ = 0;
}

} // namespace isthmus::outputs
