// SPDX-License-Identifier: BSD-3-Clause
// The files of events that the tools of preCICE read, one per rank. The reader here follows what
// `precice-profiling merge` 2.1.0 of PyPI demands of them.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_windows = 3;

std::string xml(const std::string& profiling) {
  const Scenario scenario{.schemes = {{.first = "A", .second = "B", .max_windows = num_windows}},
                          .flows = {{.from = "A", .to = "B", .data = "Heat"}},
                          .head = profiling};
  return scenario.xml();
}

void play_part(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  const std::vector<double> position{static_cast<double>(seat.launch.rank), 0};
  const std::vector<int> ids{participant.set_mesh_vertex(mesh, position)};
  std::vector<double> values(1);
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    participant.start_profiling_section("solve: all");
    participant.start_profiling_section("solve: all");
    if (seat.participant == "B") {
      participant.read_data(mesh, "Heat", ids, 0, values);
    }
    participant.stop_last_profiling_section();
    participant.stop_last_profiling_section();
    participant.advance(1);
  }
  participant.finalize();
}

std::vector<Role> roles() {
  return {{"A", play_part}, {"B", play_part}};
}

struct Events {
  std::string heading;
  std::map<std::string, int> counts; // of paths
  long long last = 0;                // microseconds
};

/// One file: names before they are used, begins and ends nested, never back in time.
Events read_events(const std::string& file) {
  Events found;
  std::ifstream stream(file);
  REQUIRE_MESSAGE(stream, file);
  std::getline(stream, found.heading);
  std::map<int, std::string> names;
  std::vector<std::string> open;
  for (std::string line; std::getline(stream, line);) {
    CAPTURE(line);
    const std::size_t colon = line.find(':');
    REQUIRE(colon != std::string::npos);
    REQUIRE(line.find(':', colon + 1) == std::string::npos); // a field more would be misread
    const int id = std::stoi(line.substr(1, colon - 1));
    const std::string rest = line.substr(colon + 1);
    if (line[0] == 'N') {
      CHECK(names.emplace(id, rest).second);
      continue;
    }
    REQUIRE(names.count(id) == 1);
    const std::string& name = names[id];
    const long long time = std::stoll(rest);
    CHECK(time >= found.last);
    found.last = time;
    if (line[0] == 'B') {
      CHECK(std::count(open.begin(), open.end(), name) == 0); // it would be ignored
      open.push_back(name);
      ++found.counts[fmt::format("{}",
                                 fmt::join(open.begin() + (open.size() > 1), open.end(), "/"))];
    } else {
      REQUIRE(line[0] == 'E');
      REQUIRE(!open.empty());
      CHECK(open.back() == name);
      open.pop_back();
    }
  }
  CHECK(open.empty());
  return found;
}

int ranks_of(const Deal& deal, std::size_t participant) {
  return deal.empty() ? 1 : deal[participant];
}

} // namespace

TEST_CASE("without <profiling> each rank writes the fundamental events for precice-profiling") {
  const Environment as_configured("ISTHMUS_PROFILE", "");
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(run(xml(""), roles(), deal));
    if (!here.is_root()) {
      continue;
    }
    int files = 0;
    for (const std::string name : {"A", "B"}) {
      const int size = ranks_of(deal, name == "A" ? 0 : 1);
      for (int rank = 0; rank < size; ++rank, ++files) {
        const std::string file = fmt::format("precice-profiling/{}-{}-{}.txt", name, rank, size);
        const Events events = read_events(file);
        CHECK(events.heading.find(fmt::format(
                  R"({{"name": "{}", "rank": {}, "size": {}, "unix_us": 1)", name, rank, size)) ==
              0);
        CHECK(events.heading.find(R"("file_version": 2, "compression": false})") !=
              std::string::npos);
        const std::map<std::string, int> repeated{{"advance", num_windows},
                                                  {"solver.advance", num_windows + 1},
                                                  {"solver.advance/solve_ all", num_windows},
                                                  {"_GLOBAL", 1},
                                                  {"construction", 1},
                                                  {"solver.initialize", 1},
                                                  {"initialize", 1},
                                                  {"initialize/connect", 1},
                                                  {"finalize", 1}};
        for (const auto& [path, count] : repeated) {
          CAPTURE(path);
          const auto at = events.counts.find(path);
          REQUIRE(at != events.counts.end());
          CHECK(at->second == count);
        }
        CHECK(events.counts.count("solver.advance/solve_ all/solve_ all (2)") == 1);
        CHECK(events.counts.count("advance/exchange") == 0); // a file would grow too fast
      }
    }
    CHECK(std::distance(std::filesystem::directory_iterator("precice-profiling"), {}) == files);
  }
}

TEST_CASE("profiles of all events go below the chosen directory") {
  const Environment as_configured("ISTHMUS_PROFILE", "");
  for (const std::string flush : {"1", "50", "0"}) {
    const WorkingDirectory here;
    static_cast<void>(
        run(xml(fmt::format(R"(<profiling mode="all" directory="prof" flush-every="{}"/>)", flush)),
            roles(), serial(2)));
    if (here.is_root()) {
      CHECK(!std::filesystem::exists("precice-profiling"));
      const Events events = read_events("prof/precice-profiling/B-0-1.txt");
      CHECK(events.counts.at("advance/exchange") >= num_windows);
      CHECK(events.counts.at("solver.advance/solve_ all/solve_ all (2)/readData") == num_windows);
    }
  }
}

TEST_CASE("a run that fails closes the events that are open") {
  const Environment as_configured("ISTHMUS_PROFILE", "");
  const WorkingDirectory here;
  const Role alone{"A", [](const Seat& seat) {
                     isthmus::Participant participant = seat.make();
                     participant.give_up("the solver has diverged");
                   }};
  static_cast<void>(play(xml(""), {alone}, serial(1)));
  if (here.is_root()) {
    CHECK(read_events("precice-profiling/A-0-1.txt").counts.count("solver.initialize") == 1);
  }
}
