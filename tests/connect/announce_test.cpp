// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/announce.hpp"
#include "await_event.hpp"
#include "connect/announcements.hpp"
#include "isthmus/connect/probe.hpp"
#include "isthmus/connect/search.hpp"
#include "naps.hpp"
#include "transport/child.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace isthmus;
using namespace isthmus::connect;
using namespace isthmus::connect::testing;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;
namespace fs = std::filesystem;

namespace {

/// What is in the way of Fluid, which waits for Solid; the error where that has ended meanwhile.
std::string obstacle_in(const Directory& directory) {
  struct Stop {};
  std::string seen;
  const connect::OnWait on_wait = [&seen](const std::string& obstacle) {
    seen = obstacle;
    throw Stop{};
  };
  try {
    return error_of(
        [&] { (void)connect::find(directory.path, "Solid", Deadline(limit_s), on_wait, "Fluid"); });
  } catch (const Stop&) {
    return seen;
  }
}

/// As if the file had been written so many seconds later.
void move_time(const Directory& directory, const std::string& participant, double seconds) {
  const fs::path path = connect::announcement_path(directory.path, participant);
  fs::last_write_time(
      path, fs::last_write_time(path) + std::chrono::duration_cast<fs::file_time_type::duration>(
                                            std::chrono::duration<double>(seconds)));
}

constexpr double hour = 3600;
const char* const just_before = "it has ended just before this participant was announced (pid ";
const char* const left_over = "the file is left over from a process that has ended (pid ";

} // namespace

TEST_CASE("an announcement is found, private, and gone in the end") {
  const Directory directory;
  for (const std::string name : {"Fluid", "with space, /slash and ü"}) {
    const connect::Announcement written = announcement(name);
    {
      const auto file = connect::announce(directory.path, written);
      const connect::Announcement found = connect::find(directory.path, name, Deadline(limit_s));
      CHECK(found.participant == name);
      CHECK(found.address == written.address);
      CHECK(found.token == written.token);
      const auto mode = fs::status(file.path()).permissions();
      CHECK((mode & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
      CHECK(file.path().parent_path() == directory.path / "precice-run");
    }
    CHECK(fs::is_empty(directory.path));
  }
}

TEST_CASE("one that never comes is named with the place to look at") {
  const Directory directory;
  const std::string said =
      error_of([&]() { (void)connect::find(directory.path, "Solid", Deadline(0.05)); });
  CHECK(contains(said, "participant \"Solid\" did not appear within 0.05 s: there is no file in " +
                           directory.path.string()));
}

TEST_CASE("one that comes late is found, and the wait is reported") {
  const Directory directory;
  std::optional<connect::AnnouncementFile> file;
  std::atomic<int> words = 0;
  const Said said = both(
      [&]() {
        (void)connect::find(directory.path, "Solid", Deadline(limit_s),
                            [&words](const std::string&) { ++words; });
      },
      [&]() {
        await_event("the wait is not reported", [&words] { return words >= 10; });
        file.emplace(connect::announce(directory.path, announcement("Solid")));
      });
  CHECK(said.one == "");
  CHECK(said.other == "");
}

TEST_CASE("a second one of the same name fails while the first one runs") {
  const Directory directory;
  auto first = std::make_unique<connect::AnnouncementFile>(
      connect::announce(directory.path, announcement("Solid")));
  const std::string said =
      error_of([&]() { (void)connect::announce(directory.path, announcement("Solid")); });
  CHECK(contains(said, fmt::format("\"Solid\" already runs (pid {} on host", getpid())));
  first.reset();
  CHECK_NOTHROW((void)connect::announce(directory.path, announcement("Solid")));
}

TEST_CASE("one that ends before it connects is noticed by who accepts") {
  const Directory directory;
  Cue found;
  const Child quitter([&directory, &found]() {
    const auto file = connect::announce(directory.path, announcement("Solid"));
    found.await();
    die();
  });
  connect::Watch watch(directory.path, connect::find(directory.path, "Solid", Deadline(limit_s)));
  found.give();
  connect::Endpoint here({"Fluid", 0, 1, ""}, NetworkSettings{});
  transport::Hub hub;
  const int ranks[] = {0};
  connect::ExpectedRanks expected =
      connect::Endpoint::begin_accept("Solid", ranks, make_token(), Deadline(limit_s));
  const std::string said = error_of([&]() {
    while (!here.accept(hub, expected, 0.05)) {
      watch.look();
    }
  });
  CHECK(contains(said, "participant \"Solid\" (rank 0, pid"));
  CHECK(contains(said, "ended before it was connected"));
}

TEST_CASE("one that came and went since we are announced is not waited for") {
  const Directory directory;
  connect::announce(directory.path, announcement("Solid")).leave("an earlier run");
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  const auto wait = [&directory]() {
    (void)connect::find(directory.path, "Solid", Deadline(0.05), {}, "Fluid");
  };
  CHECK(contains(error_of(wait), "an earlier run in"));
  CHECK(contains(error_of(wait), "did not appear within 0.05 s"));
  connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
  CHECK(contains(error_of(wait), "participant \"Solid\" (rank 0, pid "));
  CHECK(contains(error_of(wait), "): the mesh is empty"));
}

TEST_CASE("the last word of a lost one is waited for a moment") {
  const Directory directory;
  const connect::Announcement solid = announcement("Solid");
  auto file = connect::announce(directory.path, solid);
  CHECK_NOTHROW(connect::throw_last_word(directory.path, solid, Deadline(0.02)));
  const Naps ours;
  std::atomic<bool> is_over = false;
  std::thread late([&file, &ours, &is_over] {
    ours.await(3, [&is_over] { return is_over.load(); });
    file.leave("the mesh is empty");
  });
  const std::string said =
      error_of([&]() { connect::throw_last_word(directory.path, solid, Deadline(limit_s)); });
  is_over = true;
  late.join();
  CHECK(contains(said, "): the mesh is empty"));
  const auto next = connect::announce(directory.path, announcement("Solid"));
  CHECK_NOTHROW(connect::throw_last_word(directory.path, solid,
                                         Deadline(limit_s))); // another run took its place
}

TEST_CASE("an instance that has met a partner is not found by the next instance of that") {
  const Directory directory;
  connect::Announcement solid = announcement("Solid");
  solid.awaits = {"Fluid", "Controller"};
  auto file = connect::announce(directory.path, solid);
  const auto look = [&directory](const std::string& self) {
    return connect::find(directory.path, "Solid", Deadline(0.05), {}, self).token;
  };
  CHECK(look("Fluid") == solid.token);
  file.met("Fluid");
  CHECK(contains(error_of([&] { (void)look("Fluid"); }),
                 "it is still coupled with another instance of participant \"Fluid\""));
  CHECK(look("Controller") == solid.token);
  file.met("Controller");
  CHECK(fs::is_empty(directory.path));
  connect::Announcement next = announcement("Solid"); // of the same process
  next.awaits = {"Fluid"};
  const auto next_file = connect::announce(directory.path, next);
  CHECK(look("Fluid") == next.token);
  file.leave("too late"); // by the instance before
  CHECK(look("Fluid") == next.token);
}

TEST_CASE("an instance that ends while it is coupled with our predecessor is noticed") {
  const Directory directory;
  connect::Announcement solid = announcement("Solid");
  solid.awaits = {"Fluid", "Controller"};
  auto file = connect::announce(directory.path, solid);
  file.met("Fluid");
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  const auto leave = [&file](const std::string&) { file.leave("the mesh is empty"); };
  CHECK(contains(
      error_of([&] { (void)connect::find(directory.path, "Solid", Deadline(20), leave, "Fluid"); }),
      "): the mesh is empty"));
}

TEST_CASE("one that waited for us in vain is not waited for, and its message is not repeated") {
  const Directory directory;
  const std::string vain =
      error_of([&] { (void)connect::find(directory.path, "Fluid", Deadline(0.01), {}, "Solid"); });
  CHECK(contains(vain, "participant \"Fluid\" did not appear within 0.01 s"));
  connect::announce(directory.path, announcement("Solid")).leave(vain);
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  const std::string said =
      error_of([&] { (void)connect::find(directory.path, "Solid", Deadline(60), {}, "Fluid"); });
  CHECK(contains(said, "participant \"Solid\" (rank 0, pid "));
  CHECK(contains(said, "waited for participant \"Fluid\" in vain and ended before that came"));
  CHECK(!contains(said, "did not appear"));
}

TEST_CASE("the end of a participant while our process prepares itself ends the wait for it") {
  const Directory directory;
  connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
  const auto self =
      connect::announce(directory.path, announcement("Fluid")); // age: since the start
  CHECK(contains(
      error_of([&] { (void)connect::find(directory.path, "Solid", Deadline(60), {}, "Fluid"); }),
      "ended before participant \"Fluid\" was ready: the mesh is empty; start both again"));
}

TEST_CASE("one that ended after our earlier instance may mean this run, whatever clocks say") {
  for (const double seconds : {-hour, 0., hour}) {
    const Directory directory;
    connect::announce(directory.path, announcement("Solid")).leave("in the run before");
    connect::announce(directory.path, announcement("Fluid")).leave("this fails as well");
    CHECK(fs::exists(connect::announcement_path(directory.path, "Fluid")));
    connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
    const auto self = connect::announce(directory.path, announcement("Fluid"));
    move_time(directory, "Solid", seconds);
    CHECK(contains(obstacle_in(directory), just_before));
    CHECK(contains(obstacle_in(directory), "): the mesh is empty in "));
  }
}

TEST_CASE("one that ended before our earlier instance did is waited for, whatever clocks say") {
  for (const double seconds : {-hour, 0., hour}) {
    const Directory directory;
    auto earlier = connect::announce(directory.path, announcement("Fluid"));
    connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
    earlier.leave("Solid has failed");
    const auto self = connect::announce(directory.path, announcement("Fluid"));
    move_time(directory, "Solid", seconds);
    CHECK(contains(obstacle_in(directory), left_over));
    CHECK(contains(obstacle_in(directory), "): the mesh is empty in "));
  }
}

TEST_CASE("one that ends after we are announced ends the wait at once, whatever clocks say") {
  for (const double seconds : {-hour, 0., hour}) {
    const Directory directory;
    auto solid = std::make_unique<connect::AnnouncementFile>(
        connect::announce(directory.path, announcement("Solid"))); // before us, or after us
    if (seconds > 0) {
      solid.reset();
    }
    const auto self = connect::announce(directory.path, announcement("Fluid"));
    if (seconds > 0) {
      solid = std::make_unique<connect::AnnouncementFile>(
          connect::announce(directory.path, announcement("Solid")));
    }
    solid->leave("the mesh is empty");
    move_time(directory, "Solid", seconds);
    CHECK(contains(obstacle_in(directory), "): the mesh is empty"));
    CHECK(!contains(obstacle_in(directory), "has ended"));
  }
}

TEST_CASE("one that crashes after we are announced and before we look ends the wait") {
  const Directory directory;
  Cue never;
  auto solid = std::make_unique<Child>([&directory, &never] {
    const auto file = connect::announce(directory.path, announcement("Solid"));
    never.await();
  });
  await_event("Solid is not announced", [&directory] {
    return fs::exists(connect::announcement_path(directory.path, "Solid"));
  });
  move_time(directory, "Solid", -hour); // long before our process began
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  solid.reset();
  CHECK(contains(obstacle_in(directory), "ended before it was connected"));
}

TEST_CASE("one that ended without an error is waited for while its process runs") {
  const Directory directory;
  Cue never;
  auto solid = std::make_unique<Child>([&directory, &never] {
    connect::announce(directory.path, announcement("Solid"))
        .leave(std::string(connect::ended_unused));
    never.await();
  });
  await_event("Solid has not left", [&directory] {
    const auto found =
        connect::read_announcement(connect::announcement_path(directory.path, "Solid"));
    return found && !found->last_word.empty();
  });
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  CHECK(contains(obstacle_in(directory), "it ended before initialize(), and its process (pid "));
  CHECK(contains(obstacle_in(directory), ") may start it again"));
  solid.reset();
  CHECK(contains(obstacle_in(directory), just_before));
}

TEST_CASE("one that ended before our process began is waited for, and named") {
  const Directory directory;
  connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
  move_time(directory, "Solid", -hour);
  {
    const auto self = connect::announce(directory.path, announcement("Fluid"));
    CHECK(contains(obstacle_in(directory), left_over));
    CHECK(contains(obstacle_in(directory), "): the mesh is empty in "));
  }
  const double age = seconds_since_start(connect::own_address().started);
  const auto at_begin =
      fs::file_time_type::clock::now() -
      std::chrono::floor<fs::file_time_type::duration>(std::chrono::duration<double>(age));
  fs::last_write_time(connect::announcement_path(directory.path, "Solid"), at_begin);
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  CHECK(contains(obstacle_in(directory), just_before));
}

TEST_CASE("one that another process of ours has seen ended is judged by when this one began") {
  const Directory directory;
  connect::announce(directory.path, announcement("Solid")).leave("the mesh is empty");
  connect::Announcement other = announcement("Fluid");
  other.address.started += 1; // another process
  connect::announce(directory.path, other).leave("this fails as well");
  const auto self = connect::announce(directory.path, announcement("Fluid"));
  CHECK(contains(obstacle_in(directory), just_before));
}

TEST_CASE(
    "elsewhere a process counts as running while it listens, with one connection for all looks") {
  auto here =
      std::make_unique<connect::Endpoint>(connect::RankIdentity{"A", 0, 1, ""}, NetworkSettings{});
  connect::Address address = here->address();
  address.process_space = "another host";
  connect::Probe probe(address);
  for (int look = 0; look < 20; ++look) {
    CHECK(probe.is_alive());
  }
  std::optional<transport::Socket> visitor = transport::accept_at(here->listener());
  CHECK(visitor);
  CHECK(!transport::accept_at(here->listener()));
  visitor.reset(); // dropped as a stranger
  CHECK(probe.is_alive());
  CHECK(transport::accept_at(here->listener()));
  here.reset();
  CHECK(!probe.is_alive());
  CHECK(!connect::is_alive(address));
}

TEST_CASE("a damaged file is replaced") {
  const Directory directory;
  const fs::path path = connect::announce(directory.path, announcement("Solid")).path();
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "nonsense\n";
  const connect::Announcement fresh = announcement("Solid");
  const auto file = connect::announce(directory.path, fresh);
  CHECK(connect::find(directory.path, "Solid", Deadline(limit_s)).token == fresh.token);
}

TEST_CASE("a participant that gives up before it is connected says why") {
  const Directory directory;
  const connect::Announcement gone = announcement("Solid");
  auto file = connect::announce(directory.path, gone);
  connect::Watch watch(directory.path, connect::find(directory.path, "Solid", Deadline(limit_s)));
  const auto look = [&watch] { watch.look(); };
  CHECK_NOTHROW(look());
  file.leave("the mesh\nis empty");
  CHECK(contains(error_of(look), "participant \"Solid\" (rank 0, pid "));
  CHECK(contains(error_of(look), "): the mesh is empty"));
  CHECK(contains(error_of([&]() { (void)connect::find(directory.path, "Solid", Deadline(0.05)); }),
                 "left over from a process that has ended"));
  const connect::Announcement fresh = announcement("Solid"); // ours lives, but counts as gone
  const auto next = connect::announce(directory.path, fresh);
  CHECK(connect::find(directory.path, "Solid", Deadline(limit_s)).token == fresh.token);
}
