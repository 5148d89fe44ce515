// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/profile/event_lines.hpp"
#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace isthmus;

TEST_CASE("events are lines between one about the run and one about its end") {
  std::string folder = std::filesystem::temp_directory_path() / "isthmus-lines-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const comm::Comm comm;
  outputs::EventLines lines(comm, 10);
  CHECK_FALSE(lines.is_open());
  Trace trace(Detail::phases);
  trace.record("first", 10, 11);
  trace.record("second", 11, 11.5);
  lines.open(folder, "Fluid", "all");
  CHECK(lines.is_open());
  CHECK(lines.take(trace, 0) == 2);
  trace.record("first", 12, 14);
  CHECK(lines.take(trace, 2) == 3);
  lines.receive();
  lines.finish();
  lines.end("finalized", "well \"done\"");
  CHECK_FALSE(lines.is_open());

  std::vector<std::string> text;
  std::ifstream file(std::filesystem::path(folder) / "Fluid.jsonl");
  for (std::string line; std::getline(file, line);) {
    text.push_back(line);
  }
  REQUIRE(text.size() == 4);
  CHECK(text[0] == R"({"isthmus-profile": 1, "participant": "Fluid", "ranks": 1, "mode": "all"})");
  CHECK(text[1].find(R"({"rank": 0, "host": )") == 0);
  CHECK(text[1].find(R"("paths": ["first", "second"], "events": [0,0,1000000000,1,1000000000,)"
                     R"(500000000]})") != std::string::npos);
  CHECK(text[2] == R"({"rank": 0, "paths": [], "events": [0,2000000000,2000000000]})");
  CHECK(text[3] == R"({"end": "finalized", "reason": "well \"done\""})");
  outputs::EventLines elsewhere(comm, 0);
  CHECK_THROWS_AS(elsewhere.open(folder + "/Fluid.jsonl", "Fluid", "all"), Error);
  std::filesystem::remove_all(folder);
}
