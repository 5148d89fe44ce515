// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/logging/log_format.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <string_view>
#include <vector>

namespace isthmus::logging {

namespace {

constexpr std::array<std::string_view, 15> written_attributes = {
    "Severity", "ColorizedSeverity", "Rank",   "Participant", "Message",  "Module",    "File",
    "Line",     "Function",          "LineID", "ProcessID",   "ThreadID", "TimeStamp", "Runtime",
    "preCICE"};

struct Piece {
  std::string attribute; // empty: literal
  std::string text;      // the literal, or the format of a time
};

/// What stands before a text that somebody should see; nothing otherwise, as with preCICE.
std::string colorized(Severity severity) {
  switch (severity) {
    case Severity::warning:
      return "\033[36mWARNING:\033[0m ";
    case Severity::error:
      return "\033[31mERROR:\033[0m ";
    default:
      return "";
  }
}

/// The time now; %f are microseconds, the rest is that of strftime.
std::string time_text(const std::string& format) {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const auto micros = duration_cast<microseconds>(now.time_since_epoch()).count() % 1000000;
  std::string pattern = format;
  for (std::size_t at = pattern.find("%f"); at != std::string::npos; at = pattern.find("%f")) {
    pattern.replace(at, 2, fmt::format("{:06}", micros));
  }
  const std::time_t seconds = system_clock::to_time_t(now);
  std::tm parts{};
  localtime_r(&seconds, &parts);
  std::array<char, 256> buffer{};
  const std::size_t size = std::strftime(buffer.data(), buffer.size(), pattern.c_str(), &parts);
  return {buffer.data(), size};
}

std::string value(const Piece& piece, const LogRecord& record) {
  const std::string& attribute = piece.attribute;
  return attribute.empty()                  ? piece.text
         : attribute == "Message"           ? std::string(record.text)
         : attribute == "Severity"          ? std::string(name(record.severity))
         : attribute == "ColorizedSeverity" ? colorized(record.severity)
         : attribute == "Participant"       ? std::string(record.participant)
         : attribute == "Rank"              ? fmt::format("{}", record.rank)
         : attribute == "TimeStamp"         ? time_text(piece.text)
                                            : "";
}

/// The attribute at the start of `text`, which begins behind a percent sign; removes it there.
Piece take_attribute(std::string_view& text, const std::string& place) {
  const std::size_t end = text.find_first_of("(%");
  const std::string name(text.substr(0, end));
  check(end != std::string_view::npos,
        "{} format has a percent sign that does not end: \"%{:.30}\"", place, name);
  check(std::find(written_attributes.begin(), written_attributes.end(), name) !=
            written_attributes.end(),
        "{} format has no attribute %{:.30}%; known: %Message%, %Severity%, %ColorizedSeverity%, "
        "%Participant%, %Rank%, %TimeStamp%; write %% for a percent sign",
        place, name);
  std::string arguments = "%Y-%m-%d %H:%M:%S";
  std::size_t close = end;
  if (text[end] == '(') {
    close = text.find(")%", end);
    check(close != std::string_view::npos, "{} format %{}( lacks the closing )%", place, name);
    const std::string_view inside = text.substr(end, close - end);
    const std::size_t first = inside.find('"');
    const std::size_t last = inside.rfind('"');
    if (first < last) {
      arguments = inside.substr(first + 1, last - first - 1);
    }
    ++close;
  }
  text.remove_prefix(close + 1);
  return {name, arguments};
}

std::vector<Piece> split(std::string_view text, const std::string& place) {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    const std::size_t percent = text.find('%');
    pieces.push_back({"", std::string(text.substr(0, percent))});
    if (percent == std::string_view::npos) {
      break;
    }
    text.remove_prefix(percent + 1);
    if (text.starts_with('%')) {
      pieces.push_back({"", "%"});
      text.remove_prefix(1);
    } else {
      pieces.push_back(take_attribute(text, place));
    }
  }
  return pieces;
}

} // namespace

LogFormat compile_format(const std::string& text, const std::string& place) {
  const std::string pattern = text.empty() ? "%Participant%:%Rank% %Severity% %Message%" : text;
  return [pieces = split(pattern, place)](const LogRecord& record) {
    std::string line;
    for (const Piece& piece : pieces) {
      line += value(piece, record);
    }
    return line;
  };
}

} // namespace isthmus::logging
