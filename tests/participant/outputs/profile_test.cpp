// SPDX-License-Identifier: BSD-3-Clause
// The files that a participant leaves when it is measured: one that holds all ranks.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int many_reads = 600; // of two events each: more than a rank keeps

std::string xml(const std::string& profiling) {
  const Scenario scenario{.schemes = {{.first = "A", .second = "B", .max_windows = 3}},
                          .flows = {{.from = "A", .to = "B", .data = "Heat"}},
                          .head = profiling};
  return scenario.xml();
}

void play_part(const Seat& seat, bool fails) {
  isthmus::Participant participant = seat.make();
  const bool writes = seat.participant == "A";
  const std::string mesh = seat.participant + "-Mesh";
  const std::vector<double> position{static_cast<double>(seat.launch.rank), 0};
  const std::vector<int> ids{participant.set_mesh_vertex(mesh, position)};
  std::vector<double> values(1);
  participant.start_profiling_section("set up");
  participant.stop_last_profiling_section();
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    participant.start_profiling_section("solve");
    for (int i = 0; i < many_reads && !writes; ++i) {
      participant.start_profiling_section("step \"1\"");
      participant.read_data(mesh, "Heat", ids, 0, values);
      participant.stop_last_profiling_section();
    }
    participant.stop_last_profiling_section();
    if (writes) {
      participant.write_data(mesh, "Heat", ids, values);
    }
    participant.advance(fails ? 7 : 1);
  }
  participant.finalize();
  for (const isthmus::Span& span : participant.statistics().spans) {
    seat.put(seat.participant + "/" + span.name, seat.launch.rank, {span.end - span.begin});
  }
}

std::vector<Role> roles(bool fails = false) {
  return {{"A", [](const Seat& seat) { play_part(seat, false); }},
          {"B", [fails](const Seat& seat) { play_part(seat, fails); }}};
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream("isthmus-profiling/" + file);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// What stands between `begin` and the next `end`.
std::string between(const std::string& line, const std::string& begin, const std::string& end) {
  const std::size_t first = line.find(begin);
  if (first == std::string::npos) {
    return "";
  }
  const std::size_t start = first + begin.size();
  return line.substr(start, line.find(end, start) - start);
}

/// Path, rank and seconds of each event of a file, as the ranks put them into the table.
Table events_of(const std::string& participant) {
  Table table;
  std::map<int, std::vector<std::string>> paths;
  for (const std::string& line : lines_of(participant + ".jsonl")) {
    if (line.find("{\"rank\": ") != 0) {
      continue;
    }
    const int rank = std::stoi(between(line, "\"rank\": ", ","));
    std::string names = between(line, "\"paths\": [", "]");
    for (std::string path; !(path = between(names, "\"", "\",")).empty();) {
      paths[rank].push_back(path.back() == '"' && path[path.size() - 2] != '\\'
                                ? path.substr(0, path.size() - 1)
                                : path);
      names.erase(0, names.find(path) + path.size() + 1);
    }
    std::istringstream events(between(line, "\"events\": [", "]"));
    std::int64_t path = 0;
    std::int64_t begin = 0;
    std::int64_t duration = 0;
    char comma = ',';
    while (events >> path >> comma >> begin >> comma >> duration) {
      table[participant + "/" + paths[rank].at(static_cast<std::size_t>(path))].emplace(
          rank, std::vector{static_cast<double>(duration) * 1e-9});
      CHECK((begin >= 0 && duration >= 0));
      events >> comma;
    }
  }
  return table;
}

/// Number and sum of the events of each rank and path; names as they stand in JSON.
std::map<std::string, std::pair<std::size_t, double>> totals(const Table& table) {
  std::map<std::string, std::pair<std::size_t, double>> sums;
  for (const auto& [path, events] : table) {
    for (const auto& [rank, seconds] : events) {
      std::string name = path;
      if (const auto quote = name.find("step \"1\""); quote != std::string::npos) {
        name.replace(quote, 8, "step \\\"1\\\"");
      }
      auto& [count, sum] = sums[fmt::format("{} of rank {}", name, rank)];
      ++count;
      sum += seconds[0];
    }
  }
  return sums;
}

bool holds(const Table& table, const std::string& path) {
  return table.find(path) != table.end();
}

} // namespace

TEST_CASE("one file holds what all ranks have measured") {
  const Environment trace("ISTHMUS_TRACE", "1");
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Environment one_file("ISTHMUS_PROFILE", "all");
    const Table reported =
        run(xml(R"(<profiling mode="off" flush-every="10" synchronize="true"/>)"), roles(), deal);
    if (!here.is_root()) {
      continue;
    }
    Table found = events_of("A");
    found.merge(events_of("B"));
    const auto expected = totals(reported);
    const auto actual = totals(found);
    CHECK(expected.size() == actual.size());
    for (const auto& [path, sum] : expected) {
      CAPTURE(path);
      REQUIRE(actual.find(path) != actual.end());
      CHECK(actual.at(path).first == sum.first);
      CHECK(std::abs(actual.at(path).second - sum.second) < 2e-9 * static_cast<double>(sum.first));
    }
    for (const char* path :
         {"A/construct", "A/solver.initialize/set up", "A/initialize/connect", "A/advance/exchange",
          "A/advance/synchronize", "A/solver.advance/writeData", "A/finalize",
          "B/solver.advance/solve/step \\\"1\\\"/readData"}) {
      CHECK_MESSAGE(holds(found, path), path);
    }
    for (const std::string name : {"A", "B"}) {
      const auto lines = lines_of(name + ".jsonl");
      const int ranks = deal.empty() ? 1 : deal[name == "A" ? 0 : 1];
      CHECK(lines.front() == fmt::format(R"({{"isthmus-profile": 1, "participant": "{}", )"
                                         R"("ranks": {}, "mode": "all"}})",
                                         name, ranks));
      CHECK(lines.back() == R"({"end": "finalized", "reason": ""})");
      const auto least = static_cast<std::size_t>(name == "A" ? ranks : 2 * ranks);
      CHECK(lines.size() >= 2 + least);
    }
  }
}

TEST_CASE("nothing is written unless it is wanted") {
  for (const std::string profiling : {"", R"(<profiling mode="all"/>)"}) {
    const WorkingDirectory here;
    const Environment none("ISTHMUS_PROFILE", "off");
    static_cast<void>(run(xml(profiling), roles(), serial(2)));
    CHECK(!std::filesystem::exists("isthmus-profiling"));
    CHECK(!std::filesystem::exists("precice-profiling"));
  }
  {
    const WorkingDirectory here;
    const Environment as_configured("ISTHMUS_PROFILE", "");
    static_cast<void>(run(xml(R"(<profiling mode="off"/>)"), roles(), serial(2)));
    CHECK(!std::filesystem::exists("precice-profiling"));
  }
  const WorkingDirectory here;
  const Environment variable("ISTHMUS_PROFILE", "fundamental");
  const Table reported = run(xml(""), roles(), serial(2));
  CHECK(reported.empty()); // the trace keeps nothing for itself
  if (here.is_root()) {
    CHECK(holds(events_of("B"), "B/advance"));
    CHECK(!holds(events_of("B"), "B/solver.advance/solve/step \\\"1\\\"/readData"));
  }
}

TEST_CASE("a run that fails leaves what the first rank knows") {
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Environment one_file("ISTHMUS_PROFILE", "fundamental");
    const Outcome outcome = play(xml(""), roles(true), deal);
    CHECK(outcome.errors.at("B").find("exceeds the maximum") != std::string::npos);
    if (here.is_root()) {
      const auto lines = lines_of("B.jsonl"); // A waits for nobody and may have ended before
      REQUIRE(lines.size() > 1);
      CHECK(lines.back().find(R"({"end": "failed", "reason": ")") == 0);
      CHECK(lines.back().find("exceeds the maximum") != std::string::npos);
      CHECK(holds(events_of("B"), "B/initialize"));
      CHECK(lines_of("A.jsonl").back().find(R"({"end": ")") == 0);
    }
  }
}

TEST_CASE("a profile that cannot be written does not stop the run") {
  for (const std::string wanted : {"", "fundamental"}) {
    const WorkingDirectory here;
    const Environment variable("ISTHMUS_PROFILE", wanted);
    if (here.is_root()) {
      std::ofstream("isthmus-profiling") << "a file";
      std::ofstream("precice-profiling") << "a file";
    }
    static_cast<void>(run(xml(""), roles(), serial(2)));
  }
}
