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
        pair.a.exchange(outgoing, {}, limit_s);
      }
      pair.a.close(limit_s);
    };
    const auto receiver = [&pair]() {
      const isthmus::Deadline deadline(limit_s);
      while (pair.b.traffic().messages_in < 4 && !deadline.passed()) { // the goodbye is the fourth
        pair.b.progress();
      }
      Field field;
      Incoming incoming[] = {field.incoming(0)};
      for (const unsigned seed : {1U, 2U, 3U}) {
        pair.b.exchange({}, incoming, limit_s);
        CHECK(field.in == numbered(1000, seed));
      }
      pair.b.exchange({}, incoming, limit_s);
    };
    const Said said = both(sender, receiver);
    CHECK(said.one == "");
    CHECK(contains(said.other, "has left the coupling (while waiting for data)"));
  }
}

TEST_CASE("steps that a peer sent before it failed are received first, then the reason") {
  for (const auto transport : transports) {
    Pair pair(transport);
    const auto sender = [&pair]() {
      for (const unsigned seed : {1U, 2U, 3U}) {
        Field field{numbered(1000, seed), {}};
        Outgoing outgoing[] = {field.outgoing(0)};
        pair.a.exchange(outgoing, {}, limit_s);
      }
      pair.a.abort("the solver diverged");
      pair.a = Hub();
    };
    const auto receiver = [&pair]() {
      const isthmus::Deadline deadline(limit_s);
      while (pair.b.traffic().messages_in < 4 && !deadline.passed()) { // the goodbye is the fourth
        pair.b.progress();
      }
      Field field{numbered(1000, 0), {}};
      for (const unsigned seed : {1U, 2U, 3U}) {
        pair.b.progress();
        Outgoing outgoing[] = {field.outgoing(0)}; // nobody takes it any more
        Incoming incoming[] = {field.incoming(0)};
        pair.b.send(0, Kind::steering, {});
        pair.b.exchange(outgoing, incoming, limit_s);
        CHECK(field.in == numbered(1000, seed));
      }
      Incoming incoming[] = {field.incoming(0)};
      pair.b.exchange({}, incoming, limit_s);
    };
    const Said said = both(sender, receiver);
    CHECK(said.one == "");
    CHECK(contains(said.other, "): the solver diverged (while waiting for data)"));
  }
}

TEST_CASE("messages that were queued when a participant failed are sent before the reason") {
  for (const auto transport : transports) {
    Pair pair(transport);
    const auto sender = [&pair]() {
      pair.a.send(0, Kind::mesh, numbered(5000000, 1)); // more than the channel holds
      pair.a.abort("the solver diverged");
    };
    const auto receiver = [&pair]() {
      CHECK(pair.b.receive(0, Kind::mesh, limit_s) == numbered(5000000, 1));
      (void)pair.b.receive(0, Kind::mesh, limit_s);
    };
    const Said said = both(sender, receiver);
    CHECK(said.one == "");
    CHECK(contains(said.other, "): the solver diverged (while waiting for mesh)"));
  }
}

TEST_CASE("who only sends to a peer that failed learns why") {
  for (const auto transport : transports) {
    Pair pair(transport);
    pair.a.abort("the solver diverged");
    const std::string said = error_of([&pair]() {
      Field field{numbered(1000, 1), {}};
      Outgoing outgoing[] = {field.outgoing(0)};
      const isthmus::Deadline deadline(limit_s);
      while (!deadline.passed()) {
        pair.b.exchange(outgoing, {}, limit_s);
      }
    });
    CHECK(contains(said, "): the solver diverged (while waiting for data)"));
  }
}
