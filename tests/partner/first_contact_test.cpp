// SPDX-License-Identifier: BSD-3-Clause
// The first ranks of two participants, each in a thread.
#include "isthmus/partner/first_contact.hpp"
#include "isthmus/partner/context.hpp"

#include "partner/two_participants.hpp"
#include "transport/pair.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::partner;
using partner::testing::m2n_in;
using partner::testing::Member;
using transport::testing::both;
using transport::testing::Pair;
using transport::testing::Said;

namespace {

/// Contexts of participants whose hubs are linked already.
struct Greeting {
  Greeting() : a(comm::Comm(), "A", &no_job), b(comm::Comm(), "B", &no_job) {}

  /// What both say when they shake hands over the first link of each.
  Said shake(bool a_wants_mpi = false, bool b_wants_mpi = false) {
    Context at_a{a.comm,
                 pair.a,
                 a.context.identity,
                 a.context.token,
                 nullptr,
                 nullptr,
                 nullptr,
                 a.log,
                 a.trace,
                 60,
                 60};
    Context at_b{b.comm,
                 pair.b,
                 b.context.identity,
                 b.context.token,
                 nullptr,
                 nullptr,
                 nullptr,
                 b.log,
                 b.trace,
                 60,
                 60};
    return both([&] { of_a = shake_hands(at_a, "B", 0, a_wants_mpi); },
                [&] { of_b = shake_hands(at_b, "A", 0, b_wants_mpi); });
  }

  JointJob no_job; // so that no socket is opened beside those of the pair
  Pair pair{connect::NetworkSettings::automatic};
  Member a;
  Member b;
  FirstContact of_a;
  FirstContact of_b;
};

} // namespace

TEST_CASE("first ranks find each other by their announcements" * on_ranks(1, 1)) {
  const WorkingFolder folder;
  const config::M2N m2n = m2n_in("meet here");
  Member a(comm::Comm(), "A", nullptr);
  Member b(comm::Comm(), "B", nullptr);
  FirstContact of_a;
  FirstContact of_b;
  const Said said = both(
      [&] {
        a.announce(m2n.exchange_directory, "B");
        of_a = meet(a.context, m2n, "B", true);
      },
      [&] {
        b.announce(m2n.exchange_directory, "A");
        of_b = meet(b.context, m2n, "A", false);
      });
  CHECK(said.one == "");
  CHECK(said.other == "");
  CHECK(of_a.remote_size == 1);
  CHECK(of_b.remote_size == 1);
  CHECK(of_a.token == a.context.token); // of the accepting side, on both
  CHECK(of_b.token == a.context.token);
  CHECK_FALSE(of_a.use_mpi);
  CHECK(a.hub.peer(of_a.link).participant == "B");
  CHECK(b.hub.peer(of_b.link).participant == "A");
  const std::filesystem::path directory = m2n.exchange_directory;
  CHECK_FALSE(std::filesystem::exists(connect::announcement_path(directory, "A"))); // all were met
  CHECK_FALSE(std::filesystem::exists(connect::announcement_path(directory, "B")));
  REQUIRE(!a.said.empty());
  CHECK(a.said.back() ==
        fmt::format("connected with participant \"B\" (1 rank, first rank pid {} on host {}) by {}",
                    getpid(), host_name(), a.hub.transport(of_a.link)));
  a.hub.send(of_a.link, transport::Kind::control, std::vector<std::byte>(3));
  CHECK(b.hub.receive(of_b.link, transport::Kind::control, 60).size() == 3);
}

TEST_CASE("a partner that never comes is named, and was not met" * on_ranks(1, 1)) {
  const WorkingFolder folder;
  Member a(comm::Comm(), "A", nullptr, 0.05);
  a.announce("meet here", "B");
  CHECK(contains(
      error_of([&] { static_cast<void>(meet(a.context, m2n_in("meet here"), "B", true)); }),
      "participant \"B\" did not appear within 0.05 s"));
  CHECK(std::filesystem::exists(connect::announcement_path("meet here", "A"))); // for who comes
}

TEST_CASE("hands are shaken over any link, and MPI is used where both want it" * on_ranks(1, 1)) {
  for (const bool a_wants : {false, true}) {
    for (const bool b_wants : {false, true}) {
      Greeting greeting;
      const Said said = greeting.shake(a_wants, b_wants);
      CHECK(said.one == "");
      CHECK(said.other == "");
      CHECK(greeting.of_a.use_mpi == (a_wants && b_wants));
      CHECK(greeting.of_b.use_mpi == (a_wants && b_wants));
      CHECK(greeting.of_a.remote_size == 1);
      CHECK(greeting.of_a.link == 0);
      REQUIRE(!greeting.a.said.empty());
      CHECK(contains(greeting.a.said.back(), a_wants && b_wants ? " by mpi" : " by shm"));
    }
  }
}

TEST_CASE("who uses another version or configuration is refused by both" * on_ranks(1, 1)) {
  {
    Greeting greeting;
    greeting.b.context.identity.version = "0.0.1";
    const Said said = greeting.shake();
    const std::string own = connect::library_version();
    CHECK(said.one == "participant \"B\" uses version 0.0.1 of the library, this one " + own +
                          "; use the same everywhere");
    CHECK(said.other == "participant \"A\" uses version " + own +
                            " of the library, this one 0.0.1; use the same everywhere");
  }
  Greeting greeting;
  greeting.b.context.identity.fingerprint = "mesh M 2\n";
  const Said said = greeting.shake();
  CHECK(said.one ==
        "participant \"B\" runs with another configuration than participant \"A\": they differ in "
        "mesh M; give both the same file");
  CHECK(contains(said.other, "participant \"A\" runs with another configuration"));
}
