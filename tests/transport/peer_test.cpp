// SPDX-License-Identifier: BSD-3-Clause
// How a process at the other end is named.
#include "isthmus/transport/peer.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

TEST_CASE("a peer is named with all that finds it") {
  const Peer peer{"Fluid", 3, "node7", 42};
  CHECK(describe(peer) == "participant \"Fluid\" (rank 3, pid 42 on host node7)");
  CHECK(contains(error_of([&] { throw_crashed(peer); }), "ended without a word"));
  CHECK(contains(error_of([&] { throw_unreachable(peer); }), "does not answer"));
  CHECK(contains(error_of([&] { throw_damaged(peer); }), "damaged the shared memory"));
}
