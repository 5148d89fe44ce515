// SPDX-License-Identifier: BSD-3-Clause
// How links end: orderly, with a reason, by a crash.
#include "await_event.hpp"
#include "transport/child.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <poll.h>

#include <atomic>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;
using isthmus::connect::NetworkSettings;

namespace {

constexpr std::size_t huge = 100'000'000; // bytes

/// Does `work` in a child that is participant B, linked to `hub` here, which is A.
class Victim {
 public:
  Victim(transport::Hub& hub, NetworkSettings::Transport transport,
         const std::function<void(transport::Hub&)>& work)
      : a_(std::make_unique<connect::Endpoint>(connect::RankIdentity{"A", 0, 1, "same"},
                                               settings(transport))),
        child_([this, transport, &work]() {
          const connect::Address address = a_->address();
          a_.reset();
          connect::Endpoint b({"B", 0, 1, "same"}, settings(transport));
          transport::Hub own;
          b.connect(own, connect::Target{address, "A", 0}, token_, Deadline(limit_s));
          work(own);
        }) {
    const int ranks[] = {0};
    a_->accept(hub, "B", ranks, token_, Deadline(limit_s));
  }

 private:
  static NetworkSettings settings(NetworkSettings::Transport transport) {
    NetworkSettings result;
    result.transport = transport;
    return result;
  }

  Token token_ = make_token();
  std::unique_ptr<connect::Endpoint> a_;
  Child child_;
};

void fill_and_die(void* /*context*/, std::size_t offset, std::span<std::byte> /*piece*/) {
  if (offset > huge / 2) {
    die();
  }
}

void drain_and_die(void* /*context*/, std::size_t offset, std::span<const std::byte> /*piece*/) {
  if (offset > huge / 2) {
    die();
  }
}

} // namespace

TEST_CASE("a goodbye with a reason reaches whoever waits") {
  for (const auto transport : transports) {
    Pair pair(transport);
    const Said said = both([&]() { pair.a.abort("the solver diverged"); },
                           [&]() { (void)pair.b.receive(0, transport::Kind::data, limit_s); });
    CHECK(contains(said.other, "participant \"A\" (rank 0, pid "));
    CHECK(contains(said.other, "): the solver diverged (while waiting for data)"));
  }
}

TEST_CASE("a goodbye cuts a message short on both sides") {
  for (const auto transport : transports) {
    Pair pair(transport);
    Field field{std::vector<std::byte>(huge), {}};
    std::atomic<bool> late_already{false};
    const auto hasty = [&]() {
      transport::Outgoing outgoing[] = {field.outgoing(0)};
      const std::string late = error_of([&]() { pair.a.exchange(outgoing, {}, 0.05); });
      CHECK(contains(late, "is still there, but nothing of kind data"));
      late_already = true;
      pair.a.abort("time is up");
    };
    const auto sleepy = [&]() {
      await_event("the other side is not late", [&]() { return late_already.load(); });
      (void)pair.b.receive(0, transport::Kind::data, limit_s);
    };
    const Said said = both(hasty, sleepy);
    CHECK(said.one == "");
    CHECK(contains(said.other, "time is up"));
  }
}

TEST_CASE("an orderly end leaves nothing behind and fails only who waits for more") {
  for (const auto transport : transports) {
    std::atomic<bool> waits_or_has_left{false};
    Pair pair(transport);
    pair.a.set_watch([&waits_or_has_left]() { waits_or_has_left = true; });
    const auto leaves = [&]() {
      pair.a.send(0, transport::Kind::mesh_arrays, numbered(1000000, 1));
      pair.a.close(limit_s);
      pair.a.clear();
      waits_or_has_left = true;
    };
    const auto stays = [&]() {
      // what does not fit into the channel is waited for in close()
      await_event("the other side does not leave", [&]() { return waits_or_has_left.load(); });
      CHECK(pair.b.receive(0, transport::Kind::mesh_arrays, limit_s) == numbered(1000000, 1));
      CHECK(contains(
          error_of([&]() { (void)pair.b.receive(0, transport::Kind::mesh_arrays, limit_s); }),
          "has left the coupling (while waiting for arrays of a mesh)"));
      pair.b.close(limit_s);
    };
    const Said said = both(leaves, stays);
    CHECK(said.one == "");
    CHECK(said.other == "");
  }
}

TEST_CASE("a silent peer is named when time is up") {
  Pair pair(NetworkSettings::shm);
  const std::string late = error_of([&]() { (void)pair.a.receive(0, transport::Kind::read, 0.1); });
  CHECK(contains(late, "participant \"B\" (rank 0"));
  CHECK(contains(late, "read"));
}

TEST_CASE("a peer killed while we wait is noticed") {
  for (const auto transport : transports) {
    Cue we_wait;
    transport::Hub hub;
    const Victim victim(hub, transport, [&we_wait](transport::Hub&) {
      we_wait.await();
      die();
    });
    hub.set_watch([&we_wait]() { we_wait.give(); });
    const std::string said =
        error_of([&]() { (void)hub.receive(0, transport::Kind::data, limit_s); });
    CHECK(contains(said, "participant \"B\" (rank 0, pid"));
    CHECK(contains(said, "ended without a word"));
    CHECK(contains(said, "(while waiting for data)"));
  }
}

TEST_CASE("a peer killed in the middle of a large message is noticed") {
  for (const auto transport : transports) {
    transport::Hub hub;
    const Victim victim(hub, transport, [](transport::Hub& own) {
      transport::Outgoing outgoing[] = {{.link = 0, .bytes = huge, .fill = fill_and_die}};
      own.exchange(outgoing, {}, limit_s);
    });
    Field field;
    transport::Incoming incoming[] = {field.incoming(0)};
    CHECK(
        contains(error_of([&]() { hub.exchange({}, incoming, limit_s); }), "ended without a word"));
  }
}

TEST_CASE("a peer killed while we send to it is noticed") {
  for (const auto transport : transports) {
    transport::Hub hub;
    const Victim victim(hub, transport, [](transport::Hub& own) {
      transport::Incoming incoming[] = {
          {.link = 0, .begin = [](void*, std::size_t) {}, .drain = drain_and_die}};
      own.exchange({}, incoming, limit_s);
    });
    Field field{std::vector<std::byte>(huge), {}};
    transport::Outgoing outgoing[] = {field.outgoing(0)};
    CHECK(
        contains(error_of([&]() { hub.exchange(outgoing, {}, limit_s); }), "ended without a word"));
  }
}

TEST_CASE("the end of one peer ends the wait for another") {
  transport::Hub hub;
  const Victim living(hub, NetworkSettings::shm, [](transport::Hub& own) {
    (void)own.receive(0, transport::Kind::data, limit_s);
  });
  const Victim dying(hub, NetworkSettings::shm, [](transport::Hub&) { die(); });
  CHECK(contains(error_of([&]() { (void)hub.receive(0, transport::Kind::data, limit_s); }),
                 "ended without a word"));
}

TEST_CASE("who waits for a goodbye sees the end of one that had received its own before") {
  for (const auto transport : transports) {
    Pair pair(transport); // both channels stay until the end
    pair.a.send(0, transport::Kind::data, numbered(10000, 1));
    pair.a.close(limit_s);
    await_event("the message and the goodbye do not come", [&pair]() {
      pair.b.progress();
      return pair.b.traffic(0).messages_in == 2;
    });
    pair.b.close(limit_s);
    CHECK_NOTHROW(pair.a.await_goodbyes(limit_s));
    CHECK_NOTHROW(pair.b.await_goodbyes(limit_s));
    CHECK(pair.b.receive(0, transport::Kind::data, limit_s) == numbered(10000, 1));
  }
}

TEST_CASE("two sides that say goodbye at once receive that of the other, whatever was not taken") {
  for (const auto transport : transports) {
    for (int time = 0; time < 20; ++time) {
      Pair pair(transport);
      const auto end = [](transport::Hub& hub) {
        hub.send(0, transport::Kind::data, numbered(3000, 1));
        hub.close(limit_s);
        hub.await_goodbyes(limit_s);
      };
      const Said said = both([&]() { end(pair.a); }, [&]() { end(pair.b); });
      CHECK(said.one.empty());
      CHECK(said.other.empty());
    }
  }
}
