// SPDX-License-Identifier: BSD-3-Clause
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <string>

using namespace isthmus;
using namespace isthmus::comm;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

constexpr unsigned steps[] = {1, 2, 3};

void send_steps(transport::Hub& hub) {
  for (const unsigned seed : steps) {
    Field field{numbered(1000, seed), {}};
    transport::Outgoing outgoing[] = {field.outgoing(0)};
    hub.exchange(outgoing, {}, limit_s);
  }
}

/// The steps are there and so is the goodbye behind them.
void await_end(transport::Hub& hub) {
  const isthmus::Deadline deadline(limit_s);
  while (hub.traffic().messages_in < std::size(steps) + 1 && !deadline.passed()) {
    hub.progress();
  }
}

/// By all transports one sends and the other receives, until it learns that there is no more.
template <typename Send, typename Receive>
void check_end(const Send& send, const Receive& receive, const std::string& reason) {
  for (const auto transport : transports) {
    Pair pair(transport);
    const Said said = both([&] { send(pair.a); }, [&] { receive(pair.b); });
    CHECK(said.one == "");
    CHECK(contains(said.other, reason));
  }
}

} // namespace

TEST_CASE("steps that a peer sent before it left are received after it left") {
  const auto send = [](transport::Hub& hub) {
    send_steps(hub);
    hub.close(limit_s);
  };
  const auto receive = [](transport::Hub& hub) {
    await_end(hub);
    Field field;
    transport::Incoming incoming[] = {field.incoming(0)};
    for (const unsigned seed : steps) {
      hub.exchange({}, incoming, limit_s);
      CHECK(field.in == numbered(1000, seed));
    }
    hub.exchange({}, incoming, limit_s);
  };
  check_end(send, receive, "has left the coupling (while waiting for data)");
}

TEST_CASE("steps that a peer sent before it failed are received first, then the reason") {
  const auto send = [](transport::Hub& hub) {
    send_steps(hub);
    hub.abort("the solver diverged");
    hub.clear();
  };
  const auto receive = [](transport::Hub& hub) {
    await_end(hub);
    Field field{numbered(1000, 0), {}};
    for (const unsigned seed : steps) {
      hub.progress();
      transport::Outgoing outgoing[] = {field.outgoing(0)}; // nobody takes it any more
      transport::Incoming incoming[] = {field.incoming(0)};
      hub.send(0, transport::Kind::steering, {});
      hub.exchange(outgoing, incoming, limit_s);
      CHECK(field.in == numbered(1000, seed));
    }
    transport::Incoming incoming[] = {field.incoming(0)};
    hub.exchange({}, incoming, limit_s);
  };
  check_end(send, receive, "): the solver diverged (while waiting for data)");
}

TEST_CASE("messages that were queued when a participant failed are sent before the reason") {
  const auto send = [](transport::Hub& hub) {
    hub.send(0, transport::Kind::mesh_arrays, numbered(5000000, 1)); // more than the channel holds
    hub.abort("the solver diverged");
  };
  const auto receive = [](transport::Hub& hub) {
    CHECK(hub.receive(0, transport::Kind::mesh_arrays, limit_s) == numbered(5000000, 1));
    (void)hub.receive(0, transport::Kind::mesh_arrays, limit_s);
  };
  check_end(send, receive, "): the solver diverged (while waiting for arrays of a mesh)");
}

TEST_CASE("who only sends to a peer that failed learns why") {
  for (const auto transport : transports) {
    Pair pair(transport);
    pair.a.abort("the solver diverged");
    const std::string said = error_of([&pair]() {
      Field field{numbered(1000, 1), {}};
      transport::Outgoing outgoing[] = {field.outgoing(0)};
      const isthmus::Deadline deadline(limit_s);
      while (!deadline.passed()) {
        pair.b.exchange(outgoing, {}, limit_s);
      }
    });
    CHECK(contains(said, "): the solver diverged (while waiting for data)"));
  }
}
