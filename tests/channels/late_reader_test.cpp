// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"
#include "pair.hpp"

#include <doctest/doctest.h>

using namespace isthmus::comm;
using namespace isthmus::comm::testing;

TEST_CASE("steps that a peer sent before it left are received after it left") {
  for (const auto transport : transports) {
    Pair pair(transport);
    const auto sender = [&pair]() {
      for (const unsigned seed : {1U, 2U, 3U}) {
        Field field{numbered(1000, seed), {}};
        Outgoing outgoing[] = {field.outgoing(0)};
        pair.a.exchange(outgoing, {}, 5);
      }
      pair.a.close(5);
    };
    const auto receiver = [&pair]() {
      const isthmus::Deadline deadline(5);
      while (pair.b.traffic().messages_in < 4 && !deadline.passed()) { // the goodbye is the fourth
        pair.b.progress();
      }
      Field field;
      Incoming incoming[] = {field.incoming(0)};
      for (const unsigned seed : {1U, 2U, 3U}) {
        pair.b.exchange({}, incoming, 5);
        CHECK(field.in == numbered(1000, seed));
      }
      pair.b.exchange({}, incoming, 5);
    };
    const Said said = both(sender, receiver);
    CHECK(said.one == "");
    CHECK(contains(said.other, "has left the coupling (while waiting for data)"));
  }
}
