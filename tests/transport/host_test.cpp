// SPDX-License-Identifier: BSD-3-Clause
// What tells processes and their hosts apart.
#include "isthmus/transport/host.hpp"

#include "isthmus/transport/peer.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

TEST_CASE("a token is read as it was written, and no two are the same") {
  const Token one = make_token();
  CHECK(one != make_token());
  CHECK(to_hex(one).size() == 32);
  CHECK(token_from_hex(to_hex(one)) == one);
  CHECK(error_of([] { (void)token_from_hex("12"); }) != "");
  CHECK(error_of([] { (void)token_from_hex(std::string(32, 'x')); }) != "");
}

TEST_CASE("a process that runs has a time at which it started, another one has none") {
  CHECK(start_time(::getpid()) > 0);
  CHECK(start_time(::getpid()) == start_time(::getpid()));
  CHECK(seconds_since_start(start_time(::getpid())) >= 0);
  CHECK(start_time(-1) == 0);
  CHECK_FALSE(host_name().empty());
  CHECK(host_id().find(host_name()) != std::string::npos);
  CHECK(process_space() == process_space());
}

TEST_CASE("a peer is named with all that finds it") {
  const Peer peer{"Fluid", 3, "node7", 42};
  CHECK(describe(peer) == "participant \"Fluid\" (rank 3, pid 42 on host node7)");
  CHECK(contains(error_of([&] { throw_crashed(peer); }), "ended without a word"));
  CHECK(contains(error_of([&] { throw_unreachable(peer); }), "does not answer"));
  CHECK(contains(error_of([&] { throw_damaged(peer); }), "damaged the shared memory"));
}
