// SPDX-License-Identifier: BSD-3-Clause
// One connection from both sides, step by step.
#include "isthmus/connect/incoming_connection.hpp"
#include "isthmus/connect/outgoing_connection.hpp"

#include "isthmus/base/error.hpp"
#include "message_of.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

using namespace isthmus;
using namespace isthmus::connect;
using transport::testing::limit_s;
using Stage = IncomingConnection::Stage;

namespace {

/// A door and who knocks there.
struct Door {
  Door() : listener(transport::listen_at("127.0.0.1", 0)) {
    target.address = own_address();
    target.address.ip = "127.0.0.1";
    target.address.port = transport::local_port(listener);
    target.participant = "B";
    hello.from = {"A", 2, 3, "same"};
    hello.address = own_address();
    hello.to_participant = "B";
    hello.shm = true;
    hello.ring_capacity = 5000;
  }

  [[nodiscard]] OutgoingConnection knock() const { return {target, hello, token, {}}; }
  [[nodiscard]] IncomingConnection open() const {
    const Deadline deadline(limit_s);
    std::optional<transport::Socket> socket;
    while (!socket && !deadline.passed()) {
      socket = transport::accept_at(listener);
    }
    REQUIRE(socket);
    return IncomingConnection(std::move(*socket));
  }

  transport::Socket listener;
  Target target;
  Hello hello;
  Token token = make_token();
};

/// Until the caller is known or dropped.
void listen(const Door& door, IncomingConnection& incoming, OutgoingConnection& outgoing) {
  const Deadline deadline(limit_s);
  while (incoming.stage() < Stage::known && !deadline.passed()) {
    REQUIRE(outgoing.advance() == nullptr); // waits for the answer
    incoming.listen(door.token);
  }
}

struct Ends {
  std::unique_ptr<transport::Channel> called;
  std::unique_ptr<transport::Channel> caller;
};

/// Until both sides have a channel.
Ends conclude(IncomingConnection& incoming, OutgoingConnection& outgoing) {
  Ends ends;
  const Deadline deadline(limit_s);
  while ((!ends.called || !ends.caller) && !deadline.passed()) {
    ends.caller = ends.caller ? std::move(ends.caller) : outgoing.advance();
    ends.called = ends.called ? std::move(ends.called) : incoming.conclude();
  }
  return ends;
}

/// Whether what one end commits comes out of the other.
bool carries(transport::Channel& from, transport::Channel& to) {
  const std::string text = "0123456789abcdef0123456789ABCDEF"; // a unit of the stream
  const auto space = from.writable();
  if (space.size() < text.size()) {
    return false;
  }
  std::memcpy(space.data(), text.data(), text.size());
  from.commit(text.size());
  const Deadline deadline(limit_s);
  while (to.readable().size() < text.size() && !deadline.passed()) {
    from.progress();
    to.progress();
  }
  return to.readable().size() == text.size() &&
         std::memcmp(to.readable().data(), text.data(), text.size()) == 0;
}

} // namespace

TEST_CASE("a caller is a stranger, then known, then welcome, by shared memory or without") {
  for (const bool share : {true, false}) {
    const Door door;
    OutgoingConnection outgoing = door.knock();
    CHECK(outgoing.peer().participant == "B");
    IncomingConnection incoming = door.open();
    CHECK(incoming.stage() == Stage::stranger);
    CHECK(incoming.poll().events == POLLIN);
    listen(door, incoming, outgoing);
    REQUIRE(incoming.stage() == Stage::known);
    CHECK(incoming.poll().events == 0); // it is our turn
    CHECK(outgoing.poll().events == POLLIN);
    CHECK(incoming.hello().from.participant == "A");
    CHECK(incoming.hello().from.rank == 2);
    CHECK_FALSE(incoming.is_strange());
    incoming.welcome(share, {});
    CHECK(incoming.stage() == Stage::welcomed);
    const Ends ends = conclude(incoming, outgoing);
    REQUIRE(ends.called);
    REQUIRE(ends.caller);
    CHECK(ends.called->kind() == (share ? "shm" : "tcp"));
    CHECK(ends.caller->kind() == ends.called->kind());
    CHECK(ends.called->peer().participant == "A");
    CHECK(ends.called->peer().rank == 2);
    CHECK(ends.caller->peer().participant == "B");
    CHECK(carries(*ends.caller, *ends.called));
    CHECK(carries(*ends.called, *ends.caller));
    if (share) { // what the caller wants, cut to a power of two
      CHECK(ends.caller->writable().size() <= 4096);
    }
  }
}

TEST_CASE("a caller that is refused learns why") {
  const Door door;
  OutgoingConnection outgoing = door.knock();
  IncomingConnection incoming = door.open();
  listen(door, incoming, outgoing);
  REQUIRE(incoming.stage() == Stage::known);
  incoming.refuse("the house is full");
  CHECK(incoming.stage() == Stage::dropped);
  std::string said = "no error";
  const Deadline deadline(limit_s);
  while (said == "no error" && !deadline.passed()) {
    said = message_of([&outgoing] { static_cast<void>(outgoing.advance()); });
  }
  CHECK(contains(said, "cannot connect to participant \"B\" (rank 0, pid "));
  CHECK(contains(said, "it refused: the house is full"));
}

TEST_CASE(
    "a caller with another token learns that it has found another instance, and nothing else") {
  Door door;
  OutgoingConnection outgoing = door.knock();
  IncomingConnection incoming = door.open();
  door.token = make_token(); // of the one that listens now
  const Deadline deadline(limit_s);
  bool was_outdated = false;
  std::string said;
  while (!was_outdated && !deadline.passed()) {
    try {
      static_cast<void>(outgoing.advance());
      if (incoming.stage() != Stage::dropped) {
        incoming.listen(door.token);
      }
    } catch (const transport::Outdated& outdated) {
      was_outdated = true;
      said = outdated.what();
    }
  }
  CHECK(was_outdated);
  CHECK(incoming.stage() == Stage::dropped);
  CHECK(incoming.hello().from.participant.empty()); // it was not read
  CHECK(contains(said, "cannot connect to participant \"B\" (rank 0, pid "));
  CHECK(contains(said, "it refused: its token is wrong"));
}

TEST_CASE("who talks nonsense is dropped, who says nothing stays a stranger for a while") {
  const Door door;
  const transport::Socket stranger =
      transport::begin_connect("127.0.0.1", door.target.address.port);
  IncomingConnection incoming = door.open();
  incoming.listen(door.token);
  CHECK(incoming.stage() == Stage::stranger);
  CHECK(incoming.is_silent());
  const std::string noise(100, 'x');
  CHECK(::send(stranger.descriptor(), noise.data(), noise.size(), MSG_NOSIGNAL) == 100);
  const Deadline deadline(limit_s);
  while (incoming.stage() == Stage::stranger && !deadline.passed()) {
    incoming.listen(door.token);
  }
  CHECK(incoming.stage() == Stage::dropped);
}

TEST_CASE("who ends before both sides agree is named") {
  SUBCASE("the caller, when it is welcome") {
    const Door door;
    auto outgoing = std::make_unique<OutgoingConnection>(door.knock());
    IncomingConnection incoming = door.open();
    listen(door, incoming, *outgoing);
    incoming.welcome(true, {.ring_capacity = 4096});
    outgoing.reset();
    std::string said = "no error";
    const Deadline deadline(limit_s);
    while (said == "no error" && !deadline.passed()) {
      said = message_of([&incoming] { static_cast<void>(incoming.conclude()); });
    }
    CHECK(contains(said, "participant \"A\" (rank 2, pid "));
    CHECK(contains(said, "ended while the connection was made"));
  }
  SUBCASE("the called one") {
    const Door door;
    OutgoingConnection outgoing = door.knock();
    auto incoming = std::make_unique<IncomingConnection>(door.open());
    listen(door, *incoming, outgoing);
    incoming.reset();
    std::string said = "no error";
    const Deadline deadline(limit_s);
    while (said == "no error" && !deadline.passed()) {
      said = message_of([&outgoing] { static_cast<void>(outgoing.advance()); });
    }
    CHECK(contains(said, "participant \"B\" (rank 0, pid "));
    CHECK(contains(said, "ended before it accepted the connection"));
  }
  SUBCASE("the called one, before it was called") {
    auto door = std::make_unique<Door>();
    const Target target = door->target;
    const Hello hello = door->hello;
    const Token token = door->token;
    door.reset();
    OutgoingConnection outgoing(target, hello, token, {});
    std::string said = "no error";
    const Deadline deadline(limit_s);
    while (said == "no error" && !deadline.passed()) {
      said = message_of([&outgoing] { static_cast<void>(outgoing.advance()); });
    }
    CHECK(
        contains(said, "Connection refused; has it ended? If it runs in another container, set "));
  }
}
