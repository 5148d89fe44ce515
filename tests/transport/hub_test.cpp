// SPDX-License-Identifier: BSD-3-Clause
#include "await_event.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;
using isthmus::connect::NetworkSettings;

TEST_CASE("messages of all sizes pass both ways at once, kinds in any order") {
  for (const auto transport : transports) {
    Pair pair(transport);
    CHECK(pair.a.transport(0) == (transport == NetworkSettings::tcp ? "tcp" : "shm"));
    const std::size_t sizes[] = {0, 1, 7, 8, 9, 31, 32, 33, 4096, 262143, 262144, 5000001};
    const auto side = [&sizes](transport::Hub& hub, unsigned mine, unsigned other) {
      for (const std::size_t size : sizes) {
        hub.send(0, transport::Kind::mesh_arrays, numbered(size, mine));
        hub.send(0, transport::Kind::read, numbered(size + 1, mine));
      }
      for (const std::size_t size : sizes) {
        CHECK(hub.receive(0, transport::Kind::read, limit_s) == numbered(size + 1, other));
      }
      for (const std::size_t size : sizes) {
        CHECK(hub.receive(0, transport::Kind::mesh_arrays, limit_s) == numbered(size, other));
      }
      hub.flush(limit_s);
    };
    const Said said = both([&]() { side(pair.a, 1, 2); }, [&]() { side(pair.b, 2, 1); });
    CHECK(said.one == "");
    CHECK(said.other == "");
    CHECK(pair.a.traffic().messages_in == 24);
    CHECK(pair.a.traffic().bytes_in == pair.b.traffic().bytes_out);
  }
}

TEST_CASE("a step moves messages in place") {
  for (const auto transport : transports) {
    for (const std::size_t size : {0U, 5U, 8U, 1000U, 300003U, 8000000U}) {
      Pair pair(transport);
      const auto side = [size](transport::Hub& hub, unsigned mine, unsigned other) {
        Field one{numbered(size, mine), {}};
        Field two{numbered(size + 3, mine), {}};
        for (int step = 0; step < 3; ++step) {
          transport::Outgoing outgoing[] = {one.outgoing(0),
                                            two.outgoing(0, transport::Kind::mesh_arrays)};
          transport::Incoming incoming[] = {two.incoming(0, transport::Kind::mesh_arrays),
                                            one.incoming(0)};
          hub.exchange(outgoing, incoming, limit_s);
        }
        CHECK(one.in == numbered(size, other));
        CHECK(two.in == numbered(size + 3, other));
        CHECK(one.aligned);
        CHECK(two.aligned);
      };
      const Said said = both([&]() { side(pair.a, 1, 2); }, [&]() { side(pair.b, 2, 1); });
      CHECK(said.one == "");
      CHECK(said.other == "");
    }
  }
}

TEST_CASE("a peer may be ahead by whole steps, and its messages keep their order") {
  for (const auto transport : transports) {
    Pair pair(transport);
    constexpr unsigned steps = 5;
    const auto ahead = [&pair]() {
      for (unsigned step = 0; step < steps; ++step) {
        Field field{numbered(100000, step), {}};
        transport::Outgoing outgoing[] = {field.outgoing(0)};
        pair.a.exchange(outgoing, {}, limit_s);
      }
      pair.a.send(0, transport::Kind::control, {});
      pair.a.flush(limit_s);
    };
    const auto behind = [&pair]() {
      CHECK(pair.b.receive(0, transport::Kind::control, limit_s)
                .empty()); // has to let all steps pass
      for (unsigned step = 0; step < steps; ++step) {
        Field field;
        transport::Incoming incoming[] = {field.incoming(0)};
        pair.b.exchange({}, incoming, limit_s);
        CHECK(field.in == numbered(100000, step));
      }
    };
    const Said said = both(ahead, behind);
    CHECK(said.one == "");
    CHECK(said.other == "");
  }
}

TEST_CASE("a sleeping receiver is woken, also for space") {
  for (const auto transport : transports) {
    Pair pair(transport);
    std::atomic<bool> sleeps{false};
    pair.b.set_watch([&sleeps]() { sleeps = true; });
    const auto slow = [&pair, &sleeps]() {
      await_event("the receiver does not sleep", [&sleeps]() { return sleeps.load(); });
      pair.a.send(0, transport::Kind::data, numbered(3000000, 1));
      pair.a.flush(limit_s); // the peer reads later: sleeps for space
    };
    const auto sleeper = [&pair]() {
      const auto awaited = [&pair]() { return pair.b.receive(0, transport::Kind::data, limit_s); };
      CHECK(awaited() == numbered(3000000, 1));
    };
    const Said said = both(slow, sleeper);
    CHECK(said.one == "");
    CHECK(said.other == "");
    CHECK(pair.b.wait_seconds() > 0); // however short: nothing is sent before it sleeps
  }
}

TEST_CASE("await_any finds what has come, and leaves it there") {
  Pair one(NetworkSettings::shm);
  one.a.send(0, transport::Kind::boxes, numbered(3, 7));
  const transport::Hub::Expected either[] = {{0, transport::Kind::mesh_arrays},
                                             {0, transport::Kind::boxes}};
  CHECK(one.b.await_any(either, limit_s) == 1);
  CHECK(one.b.await_any(either, limit_s) == 1);
  CHECK(one.b.receive(0, transport::Kind::boxes, limit_s) == numbered(3, 7));
}

TEST_CASE("checksums travel with the messages if wanted") {
  Pair pair(NetworkSettings::tcp, true);
  pair.a.send(0, transport::Kind::mesh_arrays, numbered(100001, 1));
  CHECK(pair.b.receive(0, transport::Kind::mesh_arrays, limit_s) == numbered(100001, 1));
}

TEST_CASE("an exchange that has enough leaves what has not begun, and it can be posted again") {
  for (const auto transport : transports) {
    Pair pair(transport);
    constexpr std::size_t large = 3000000; // does not fit into a channel
    std::atomic<bool> has_enough{false};
    const auto sender = [&pair, &has_enough]() {
      Field first{numbered(large, 1), {}};
      Field second{numbered(large, 2), {}};
      transport::Outgoing outgoing[] = {first.outgoing(0)};
      pair.a.exchange(outgoing, {}, limit_s);
      await_event("the receiver never has enough", [&has_enough]() { return has_enough.load(); });
      outgoing[0] = second.outgoing(0, transport::Kind::steering);
      pair.a.exchange(outgoing, {}, limit_s);
      pair.a.flush(limit_s);
    };
    const auto receiver = [&pair, &has_enough]() {
      Field first;
      Field second;
      transport::Incoming incoming[] = {first.incoming(0),
                                        second.incoming(0, transport::Kind::steering)};
      pair.b.exchange({}, incoming, limit_s, [&first]() { return !first.in.empty(); });
      CHECK(first.in == numbered(large, 1)); // it had begun
      CHECK(second.in.empty());
      has_enough = true;
      transport::Incoming again[] = {second.incoming(0, transport::Kind::steering)};
      pair.b.exchange({}, again, limit_s);
      CHECK(second.in == numbered(large, 2));
    };
    const Said said = both(sender, receiver);
    CHECK(said.one == "");
    CHECK(said.other == "");
  }
}
