// SPDX-License-Identifier: BSD-3-Clause
// Messages over a channel in memory that takes little at once.
#include "isthmus/transport/link.hpp"

#include "isthmus/transport/frame.hpp"
#include "isthmus/transport/inbox.hpp"
#include "isthmus/transport/outbox.hpp"
#include "isthmus/transport/posted_message.hpp"
#include "transport/field.hpp"
#include "transport/narrow.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// One way from A to B.
struct Way {
  Wires wires;
  Narrow from = wires.near("B");
  Narrow to = wires.far("A");
  Outbox outbox;
  Inbox inbox;

  explicit Way(bool checked = false) : outbox(checked), inbox(to.peer(), checked) {}
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  /// Carries a part of a message.
  void begin(Outgoing& leaving, Incoming& arriving) {
    outbox.post(leaving);
    inbox.post(arriving);
    outbox.write(from);
    inbox.read(to, false);
  }

  /// Until nothing moves any more.
  void carry(bool greedy) {
    bool moved = true;
    while (moved) {
      moved = outbox.write(from);
      moved |= inbox.read(to, greedy);
    }
  }
};

} // namespace

TEST_CASE("what leaves an outbox in pieces arrives whole: queued messages, then posted ones") {
  for (const bool checked : {false, true}) {
    Way way(checked);
    Outbox& outbox = way.outbox;
    Inbox& inbox = way.inbox;
    Field posted{numbered(777, 1), {}};
    Outgoing leaving = posted.outgoing(0);
    Incoming arriving = posted.incoming(0);
    outbox.post(leaving);
    outbox.queue(Kind::mesh_arrays, numbered(1000, 2));
    outbox.queue(Kind::mesh_arrays, {});
    inbox.post(arriving);
    CHECK_FALSE(outbox.empty());
    CHECK_FALSE(inbox.is_done());
    outbox.write(way.from);
    CHECK(outbox.has_queued()); // more than fits
    way.carry(true);
    CHECK(outbox.empty());
    CHECK(inbox.is_done());
    CHECK(posted.in == posted.out);
    CHECK(posted.aligned);
    CHECK(inbox.take(Kind::mesh_arrays) == numbered(1000, 2));
    CHECK(inbox.take(Kind::mesh_arrays) == std::vector<std::byte>{});
    CHECK_FALSE(inbox.take(Kind::mesh_arrays).has_value());
    CHECK_FALSE(inbox.has_unexpected());
    CHECK(outbox.traffic().messages == 3);
    CHECK(outbox.traffic().bytes == 1777);
    CHECK(inbox.traffic().messages == 3);
    CHECK(inbox.traffic().bytes == 1777);
  }
}

TEST_CASE("a message that nobody waits for stays in the channel, and comes when it is posted") {
  Way way;
  Field field{numbered(500, 3), {}};
  Outgoing leaving = field.outgoing(0);
  way.outbox.post(leaving);
  way.carry(false);
  CHECK_FALSE(way.outbox.empty());
  CHECK(way.inbox.traffic().messages == 0);
  Incoming arriving = field.incoming(0);
  way.inbox.post(arriving);
  way.carry(false);
  CHECK(field.in == field.out);
}

TEST_CASE("what has come before it is posted is handed over; what is withdrawn goes nowhere") {
  Way way;
  Field early{numbered(300, 4), {}};
  Outgoing first = early.outgoing(0);
  way.outbox.post(first);
  way.carry(true);
  CHECK(way.inbox.has_unexpected());
  Incoming arriving = early.incoming(0);
  way.inbox.post(arriving);
  CHECK(early.in == early.out);
  CHECK(way.inbox.is_done());

  Field late{numbered(300, 5), {}};
  Outgoing second = late.outgoing(0);
  Incoming given_up = late.incoming(0);
  way.begin(second, given_up);
  way.inbox.withdraw();
  late.in.clear();
  way.carry(false);
  CHECK(late.in.empty());
  CHECK(way.outbox.empty());
}

TEST_CASE("a goodbye may come in the middle of a message that was withdrawn") {
  Way way;
  Field cut_off{numbered(300, 6), {}};
  Outgoing leaving = cut_off.outgoing(0);
  Incoming given_up = cut_off.incoming(0);
  way.begin(leaving, given_up);
  CHECK_FALSE(way.inbox.is_done());
  way.inbox.withdraw();
  CHECK(way.inbox.is_done());
  way.outbox.withdraw();
  way.outbox.queue(Kind::goodbye, bytes_of("it rains"));
  way.carry(true);
  REQUIRE(way.inbox.goodbye().has_value());
  CHECK(*way.inbox.goodbye() == "it rains");
  CHECK(way.inbox.is_done());
  CHECK_FALSE(way.inbox.has_unexpected());
}

TEST_CASE("nothing is read behind a goodbye") {
  Way way;
  way.outbox.queue(Kind::goodbye, bytes_of("it rains"));
  way.outbox.queue(Kind::mesh_arrays, {});
  way.carry(true);
  REQUIRE(way.inbox.goodbye().has_value());
  CHECK(*way.inbox.goodbye() == "it rains");
  CHECK_FALSE(way.inbox.take(Kind::mesh_arrays).has_value());
}

TEST_CASE("a link is closed by a goodbye, broken by one with a reason, lost without a word") {
  struct Case {
    const char* reason; // null: none is said
    Link::State state;
    const char* epitaph;
  };
  for (const Case& one : {Case{"", Link::State::closed, "has left the coupling"},
                          Case{"it rains", Link::State::broken, "it rains"},
                          Case{nullptr, Link::State::broken, "the wire is cut"}}) {
    Wires wires;
    auto near = std::unique_ptr<Narrow>(new Narrow(wires.near("B")));
    auto far = std::unique_ptr<Narrow>(new Narrow(wires.far("A")));
    Narrow& wire = *far;
    Link a(std::move(near), false);
    Link b(std::move(far), false);
    a.send(Kind::mesh_arrays, numbered(40, 6));
    if (one.reason != nullptr) {
      a.say_goodbye(one.reason);
    }
    a.pump(false);
    wire.is_cut = true;
    while (b.pump(true)) {
      a.pump(false);
    }
    CHECK(b.state() == one.state);
    CHECK(b.is_lost() == (one.reason == nullptr));
    CHECK(b.epitaph().find(one.epitaph) != std::string::npos);
    CHECK(b.take(Kind::mesh_arrays) == numbered(40, 6)); // what came before that stays
    CHECK(b.traffic().messages_in == a.traffic().messages_out);
    b.send(Kind::mesh_arrays, {}); // to nobody
    CHECK(b.is_done());
  }
}
