// SPDX-License-Identifier: BSD-3-Clause
// What processes leave that are killed while they are announced, or while they write that.
#include "connect/announcements.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/search.hpp"
#include "transport/child.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

using namespace isthmus;
using namespace isthmus::connect::testing;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;
namespace fs = std::filesystem;

TEST_CASE("what a crashed process left behind is ignored and replaced") {
  const Directory directory;
  {
    const Child crash([&directory]() {
      const auto file = connect::announce(directory.path, announcement("Solid"));
      die();
    });
    CHECK(crash.exit_code() == -1);
  }
  CHECK(contains(error_of([&]() { (void)connect::find(directory.path, "Solid", Deadline(0.05)); }),
                 "left over from a process that has ended"));
  const connect::Announcement fresh = announcement("Solid");
  const auto file = connect::announce(directory.path, fresh);
  CHECK(connect::find(directory.path, "Solid", Deadline(limit_s)).token == fresh.token);
}

TEST_CASE("what processes left aside that were killed while they wrote goes with the next one") {
  const Directory directory;
  connect::Announcement ended = announcement("Solid");
  {
    const Child crash([] { die(); });
    ended.address.pid = crash.pid();
    CHECK(crash.exit_code() == -1);
  }
  const fs::path folder = directory.path / "precice-run";
  fs::create_directories(folder);
  const auto write = [&folder](const std::string& name, const std::string& text) {
    const fs::path path = folder / (name + ".isthmus." + to_hex(make_token()));
    std::ofstream(path) << text;
    return path;
  };
  const fs::path abandoned = write("Solid", connect::to_text(ended));
  const fs::path begun_long_ago = write("Solid", "isthmus-");
  fs::last_write_time(begun_long_ago,
                      fs::last_write_time(begun_long_ago) - std::chrono::minutes(2));
  const fs::path begun = write("Solid", "isthmus-");
  const fs::path of_a_running_one = write("Solid", connect::to_text(announcement("Solid")));
  const fs::path of_another = write("Solid2", connect::to_text(ended));
  const auto file = connect::announce(directory.path, announcement("Solid"));
  CHECK(!fs::exists(abandoned));
  CHECK(!fs::exists(begun_long_ago));
  CHECK(fs::exists(begun));
  CHECK(fs::exists(of_a_running_one));
  CHECK(fs::exists(of_another));
}
