// SPDX-License-Identifier: BSD-3-Clause
// A step allocates nothing. Counts all allocations of this program, one count per thread.
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;

} // namespace

void* operator new(std::size_t n) {
  ++allocations;
  if (void* memory = std::malloc(n)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

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
      const long before = allocations;
      for (int i = 0; i < 20; ++i) {
        step();
      }
      CHECK(allocations - before == 0);
    };
    const Said said = both([&]() { side(pair.a, true); }, [&]() { side(pair.b, false); });
    CHECK(said.one == "");
    CHECK(said.other == "");
  }
}
