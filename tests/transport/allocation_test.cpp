// SPDX-License-Identifier: BSD-3-Clause
// A step allocates nothing.
#include "allocations.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::comm;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

TEST_CASE("a step allocates nothing, also where a peer is late") {
  for (const auto transport : transports) {
    Pair pair(transport);
    const auto side = [](transport::Hub& hub, bool late) {
      Field field{numbered(600000, 1), std::vector<std::byte>(600000)};
      transport::Outgoing outgoing[] = {field.outgoing(0)};
      transport::Incoming incoming[] = {field.incoming(0)};
      const auto step = [&]() {
        if (late) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        hub.exchange(outgoing, incoming, limit_s);
      };
      step();
      const long before = num_allocations();
      for (int i = 0; i < 20; ++i) {
        step();
      }
      CHECK(num_allocations() == before);
    };
    const Said said = both([&]() { side(pair.a, true); }, [&]() { side(pair.b, false); });
    CHECK(said.one == "");
    CHECK(said.other == "");
  }
}
