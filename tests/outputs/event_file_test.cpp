// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/event_file.hpp"
#include "message_of.hpp"
#include "text_files.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace isthmus;
using outputs::EventFile;

namespace {

using Lines = std::vector<std::string>;

/// The begins and ends of a file behind its first line, with names in place of their numbers.
Lines events_of(const std::string& path) {
  Lines events;
  std::map<std::string, std::string> names;
  const Lines lines = lines_of(path);
  long long last = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const std::size_t colon = line.find(':');
    REQUIRE(colon != std::string::npos);
    const std::string id = line.substr(1, colon - 1);
    if (line[0] == 'N') {
      CHECK(names.emplace(id, line.substr(colon + 1)).second); // each once
      continue;
    }
    REQUIRE(names.count(id) == 1); // before it is used
    const long long time = std::stoll(line.substr(colon + 1));
    CHECK(time >= last);
    last = time;
    events.push_back(line.substr(0, 1) + " " + names[id]);
  }
  return events;
}

} // namespace

TEST_CASE("events of a trace stand in a file in the order of time, outer ones around inner ones") {
  const WorkingFolder folder;
  Trace trace(Detail::phases);
  EventFile file(".", "P", 0, 1, now());
  Lines expected{"B _GLOBAL"};
  for (int step = 0; step < 3; ++step) {
    trace.open("a");
    expected.emplace_back("B a");
    for (int i = 0; i < 2; ++i) {
      const auto b = trace.scope("b");
      { const auto c = trace.scope("c"); }
      trace.record("d", now() - 1, now()); // began before all that is known
      for (const char* event : {"B b", "B c", "E c", "B d", "E d", "E b"}) {
        expected.emplace_back(event);
      }
    }
    trace.close();
    { const auto e = trace.scope("e"); }
    for (const char* event : {"E a", "B e", "E e"}) {
      expected.emplace_back(event);
    }
    file.take(trace, 1, 0);
    trace.forget_events();
  }
  file.end();
  expected.emplace_back("E _GLOBAL");
  CHECK(events_of("P-0-1.txt") == expected);
}

TEST_CASE("the first line says whose events they are") {
  const WorkingFolder folder;
  std::filesystem::create_directory("profiling");
  EventFile("profiling", "Fluid \"1\"", 3, 16, now());
  const Lines lines = lines_of("profiling/Fluid \"1\"-3-16.txt");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].find(R"({"name": "Fluid \"1\"", "rank": 3, "size": 16, "unix_us": 1)") == 0);
  CHECK(lines[0].find(R"("file_version": 2, "compression": false})") != std::string::npos);
  CHECK(lines[1] == "N0:_GLOBAL");
  CHECK(lines[2] == "B0:0");
}

TEST_CASE("names are told apart and end no field, times are microseconds since the beginning") {
  const WorkingFolder folder;
  Trace trace(Detail::phases);
  const double zero = now() - 100;
  EventFile file(".", "P", 0, 1, zero);
  trace.record("construct", zero + 1, zero + 2); // preCICE's word for it is another one
  trace.open("solve: all\n");
  trace.record("solve: all\n", zero + 3, zero + 4.5);
  file.take(trace, 0, 1); // without the first
  file.take(trace, 0, 0);
  file.end();
  const Lines lines = lines_of("P-0-1.txt");
  const auto stands = [&lines](const std::string& line) {
    return std::count(lines.begin(), lines.end(), line);
  };
  CHECK(stands("N1:construction") == 1);
  CHECK(stands("N2:solve_ all_") == 1);
  CHECK(stands("N3:solve_ all_ (2)") == 1); // one of that name is open
  CHECK(stands("B3:3000000") == 1);
  CHECK(stands("E3:4500000") == 2); // taken twice; time does not run back
  CHECK(stands("E1:4500000") == 1);
}

TEST_CASE("events go to the disk when there are enough") {
  const WorkingFolder folder;
  Trace trace(Detail::phases);
  EventFile file(".", "P", 0, 1, now());
  const auto take_one = [&](int flush_every) {
    trace.record("a", now(), now());
    file.take(trace, flush_every, trace.events().size() - 1);
    return events_of("P-0-1.txt").size();
  };
  CHECK(take_one(6) == 1); // two records of each, behind that of the whole
  CHECK(take_one(6) == 1);
  CHECK(take_one(6) == 7);
  CHECK(take_one(0) == 7); // at the end
  file.end();
  CHECK(events_of("P-0-1.txt").size() == 10);
}

TEST_CASE("a file of events that cannot be written is an error") {
  const WorkingFolder folder;
  CHECK(message_of([] {
          EventFile("none", "P", 0, 1, 0);
        }).find("cannot write \"none/P-0-1.txt\"") == 0);
}
