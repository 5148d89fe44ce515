// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/logging/log_filter.hpp"
#include "isthmus/logging/log_format.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::logging;

namespace {

LogRecord record(Severity severity, int rank, std::string_view text = "hello world") {
  return {severity, "Fluid", rank, text};
}

bool passes(const std::string& filter, const LogRecord& one) {
  return compile_filter(filter, "c.xml:1:")(one);
}

std::string line(const std::string& format, const LogRecord& one) {
  return compile_format(format, "c.xml:1:")(one);
}

} // namespace

TEST_CASE("severities are ordered") {
  CHECK_FALSE(passes("%Severity% > info", record(Severity::info, 0)));
  CHECK(passes("%Severity% > info", record(Severity::warning, 0)));
  CHECK(passes("%Severity%>=debug", record(Severity::debug, 0)));
  CHECK(passes("%Severity% > trace", record(Severity::debug, 0)));
  CHECK(passes("%Severity% = error", record(Severity::error, 0)));
  CHECK(passes("%Severity% != error", record(Severity::info, 0)));
  CHECK(passes("%Severity% <= info", record(Severity::info, 0)));
  CHECK_FALSE(passes("%Severity% < \"info\"", record(Severity::info, 0)));
  CHECK_FALSE(passes("", record(Severity::debug, 0)));
  CHECK(passes(" ", record(Severity::info, 0)));
}

TEST_CASE("conditions combine: not before and before or") {
  const std::string usual = "(%Severity% > debug) and not ((%Severity% = info) and (%Rank% != 0))";
  CHECK(passes(usual, record(Severity::info, 0)));
  CHECK_FALSE(passes(usual, record(Severity::info, 1)));
  CHECK(passes(usual, record(Severity::warning, 1)));
  CHECK_FALSE(passes(usual, record(Severity::debug, 0)));
  const std::string mixed = "%Rank% = 1 or %Rank% = 2 and not %Severity% = info";
  CHECK(passes(mixed, record(Severity::info, 1)));
  CHECK_FALSE(passes(mixed, record(Severity::info, 2)));
  CHECK(passes(mixed, record(Severity::error, 2)));
  CHECK(passes("!(%Rank% < 3) & %Rank% < 5 | %Rank% == 0", record(Severity::info, 4)));
  CHECK_FALSE(passes("!(%Rank% < 3) && %Rank% < 5 || %Rank% == 0", record(Severity::info, 2)));
}

TEST_CASE("texts are searched, attributes that are absent fulfil nothing") {
  CHECK(passes("%Message% contains \"lo wo\"", record(Severity::info, 0)));
  CHECK(passes("%Message% begins_with hello", record(Severity::info, 0)));
  CHECK_FALSE(passes("%Message% ends_with hello", record(Severity::info, 0)));
  CHECK(passes("%Participant% = Fluid", record(Severity::info, 0)));
  CHECK_FALSE(passes("%Participant% contains Solid", record(Severity::info, 0)));
  CHECK_FALSE(passes("%Module% contains \"Impl\"", record(Severity::info, 0)));
  CHECK(passes("not %Module% contains Impl", record(Severity::info, 0)));
  CHECK(passes("%Rank% and not %File%", record(Severity::info, 0)));
  CHECK(passes("%preCICE% and not %Runtime%", record(Severity::info, 0)));
}

TEST_CASE("a filter matches whole texts with a regular expression") {
  CHECK(passes("%Message% matches \"hel+o .*\"", record(Severity::info, 0)));
  CHECK_FALSE(passes("%Message% matches \"hel+o\"", record(Severity::info, 0)));
  CHECK(passes("%Severity% matches \"info|error\"", record(Severity::error, 0)));
  CHECK_FALSE(passes("%Severity% matches \"info|error\"", record(Severity::warning, 0)));
  CHECK(passes("not %Module% matches .*", record(Severity::info, 0)));
  LogRecord long_one = record(Severity::info, 0);
  const std::string text(1000000, 'a');
  long_one.text = text;
  CHECK_FALSE(passes("%Message% matches \"(a|b)*\"", long_one));
}

TEST_CASE("filters that are not understood are refused") {
  for (const char* filter :
       {"%Severity% > loud", "%Rank% = first", "%Severity", "%Nonsense% = 1", "(%Rank% = 0",
        "%Rank% = 0)", "%Rank% = 0 %Rank% = 1", "and", "%Rank% =", "%Message% contains \"x",
        "%Message% matches \"[a\"", "info"}) {
    const std::string message = message_of([&] { (void)compile_filter(filter, "c.xml:7:"); });
    CHECK_MESSAGE(message.find("c.xml:7: filter=") == 0, filter << " -> " << message);
  }
  CHECK(message_of([] { (void)compile_filter(std::string(5000, '('), "c"); }) != "no error");
  CHECK(message_of([] { (void)compile_filter(std::string(50000, '!'), "c"); }) != "no error");
}

TEST_CASE("formats put attributes into text") {
  const LogRecord one = record(Severity::warning, 3);
  CHECK(line("(%Rank%) %Participant% %Severity%: %Message%!", one) ==
        "(3) Fluid warning: hello world!");
  CHECK(line("100%% %Module%%File%:%Line% %Message%", one) == "100% : hello world");
  CHECK(line("%ColorizedSeverity%!", one) == "\033[36mWARNING:\033[0m !");
  CHECK(line("%ColorizedSeverity%!", record(Severity::error, 0)) == "\033[31mERROR:\033[0m !");
  CHECK(line("%ColorizedSeverity%!", record(Severity::info, 0)) == "!");
  CHECK(line("plain", one) == "plain");
  CHECK(line("", one) == line("%Participant%:%Rank% %Severity% %Message%", one));
  const std::string clock = line("%TimeStamp(format=\"%H:%M:%S.%f\")% x", one);
  REQUIRE(clock.size() == std::string("00:00:00.000000 x").size());
  CHECK(clock[2] == ':');
  CHECK(clock[8] == '.');
}

TEST_CASE("formats that are not understood are refused") {
  for (const char* format :
       {"%Message", "%Mesage%", "50% of %Message%", "%TimeStamp(format=\"%H\"", "%"}) {
    const std::string message = message_of([&] { (void)compile_format(format, "c.xml:7:"); });
    CHECK_MESSAGE(message.find("c.xml:7: format") == 0, format << " -> " << message);
  }
}
