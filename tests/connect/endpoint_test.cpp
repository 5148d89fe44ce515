// SPDX-License-Identifier: BSD-3-Clause
// How links begin, and how both sides fail when they cannot.
#include "isthmus/connect/endpoint.hpp"
#include "await_event.hpp"
#include "isthmus/connect/address.hpp"
#include "isthmus/connect/seal.hpp"
#include "transport/child.hpp"
#include "transport/field.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <sys/socket.h>

#include <atomic>

using namespace isthmus;
using namespace isthmus::connect;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

constexpr int only_rank[] = {0};

connect::Endpoint endpoint(connect::RankIdentity identity) {
  return {std::move(identity), NetworkSettings{}};
}

/// A calls B, each in a thread.
Said meet(connect::Endpoint& a, connect::Endpoint& b, const Token& a_token, const Token& b_token,
          const std::string& called = "B") {
  transport::Hub hub_a;
  transport::Hub hub_b;
  return both(
      [&]() {
        a.connect(hub_a, Target{b.address(), called, 0}, a_token, Deadline(limit_s));
      },
      [&]() { b.accept(hub_b, "A", only_rank, b_token, Deadline(limit_s)); });
}

void check_refused(const Said& said, const std::string& reason) {
  CHECK(contains(said.one, "cannot connect to participant"));
  CHECK(contains(said.one, reason));
  CHECK(contains(said.other, "refused the connection of participant \"A\" (rank 0, pid"));
  CHECK(contains(said.other, reason));
}

/// What a caller seals with once it has got its challenge.
connect::Sealer challenged(connect::Courier& courier, const Token& token,
                           const connect::Nonce& own) {
  std::optional<std::vector<std::byte>> challenge;
  await_event("no challenge comes", [&]() {
    challenge = courier.receive(transport::Kind::challenge);
    return challenge.has_value();
  });
  return {token, own, connect::nonce_from(*challenge)};
}

transport::Socket reach(const connect::Endpoint& endpoint) {
  transport::Socket socket =
      transport::begin_connect(endpoint.address().ip, endpoint.address().port);
  pollfd wait{socket.descriptor(), POLLOUT, 0};
  ::poll(&wait, 1, 1000);
  return socket;
}

} // namespace

TEST_CASE("both sides say why a connection is refused") {
  connect::Endpoint a = endpoint({"A", 0, 1, "same"});
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  const Token token = make_token();
  SUBCASE("another configuration") {
    connect::Endpoint other = endpoint({"A", 0, 1, "other"});
    check_refused(meet(other, b, token, token), "different configurations");
  }
  SUBCASE("another version") {
    connect::Endpoint other = endpoint({"A", 0, 1, "same", "0.0.1"});
    check_refused(meet(other, b, token, token), "version 0.0.1 of Isthmus");
  }
  SUBCASE("another name") {
    check_refused(meet(a, b, token, token, "C"), "it looks for rank 0 of participant \"C\"");
  }
}

TEST_CASE("who calls with the token of an earlier instance learns so and holds up nobody") {
  connect::Endpoint a = endpoint({"A", 0, 1, "same"});
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  const Token token = make_token();
  const auto caller = [&]() {
    transport::Hub hub;
    CHECK_THROWS_AS(a.connect(hub, Target{b.address(), "B", 0}, make_token(), Deadline(limit_s)),
                    transport::Outdated);
    a.connect(hub, Target{b.address(), "B", 0}, token, Deadline(limit_s));
  };
  transport::Hub hub;
  const Said said =
      both(caller, [&]() { b.accept(hub, "A", only_rank, token, Deadline(limit_s)); });
  CHECK(said.one == "");
  CHECK(said.other == "");
}

TEST_CASE("a second participant of the same name is refused") {
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  connect::Endpoint one = endpoint({"A", 0, 1, "same"});
  connect::Endpoint other = endpoint({"A", 0, 1, "same"});
  const Token token = make_token();
  transport::Hub hub_b;
  transport::Hub hub_a;
  transport::Hub hub_c;
  const auto callers = [&]() {
    const Said said = both(
        [&]() {
          one.connect(hub_a, Target{b.address(), "B", 0}, token, Deadline(limit_s));
        },
        [&]() {
          other.connect(hub_c, Target{b.address(), "B", 0}, token, Deadline(limit_s));
        });
    CHECK(contains(said.one + said.other, "is it started twice?"));
  };
  const int ranks[] = {0, 1}; // rank 1 never comes
  const Said said = both(callers, [&]() { b.accept(hub_b, "A", ranks, token, Deadline(limit_s)); });
  CHECK(contains(said.other, "is it started twice?"));
}

TEST_CASE("strangers hold up nobody") {
  connect::Endpoint a = endpoint({"A", 0, 1, "same"});
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  const Token token = make_token();
  std::vector<transport::Socket> strangers;
  for (unsigned i = 0; i < 8; ++i) { // the first three say nothing
    strangers.push_back(reach(b));
    const auto noise = numbered(i < 3 ? 0 : 20 * i, i);
    CHECK(::send(strangers.back().descriptor(), noise.data(), noise.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(noise.size()));
  }
  strangers.pop_back(); // the last one hangs up
  const Said said = meet(a, b, token, token);
  CHECK(said.one == "");
  CHECK(said.other == "");
}

TEST_CASE("those that come early are kept, and many ranks connect at once") {
  const Token token = make_token();
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  static constexpr int size = 12;
  std::atomic<int> num_there{0};
  const auto callers = [&](const std::string& name) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank) {
      threads.emplace_back([&b, &token, &num_there, name, rank]() {
        connect::Endpoint self = endpoint({name, rank, size, "same"});
        transport::Hub hub;
        const Target target{b.address(), "B", 0};
        connect::Calls calls = self.begin_connect(std::span(&target, 1), token, Deadline(limit_s));
        pollfd reached = calls.outgoing.front().poll();
        ::poll(&reached, 1, static_cast<int>(1000 * limit_s));
        ++num_there; // the system has accepted it
        while (!self.connect(hub, calls, limit_s)) {
        }
        hub.send(0, transport::Kind::control, numbered(static_cast<std::size_t>(rank), 1));
        hub.close(limit_s);
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
  };
  const auto host = [&]() {
    transport::Hub hub;
    std::vector<int> ranks(size);
    for (int rank = 0; rank < size; ++rank) {
      ranks[static_cast<std::size_t>(rank)] = size - 1 - rank;
    }
    for (const std::string name : {"C", "A"}) { // A is there before C
      for (const transport::LinkId link : b.accept(hub, name, ranks, token, Deadline(limit_s))) {
        CHECK(hub.peer(link).participant == name);
        const auto rank = static_cast<std::size_t>(hub.peer(link).rank);
        CHECK(hub.receive(link, transport::Kind::control, limit_s) == numbered(rank, 1));
      }
    }
  };
  std::thread early([&]() { callers("A"); });
  CHECK_NOTHROW(await_event("A does not call", [&num_there]() { return num_there == size; }));
  const Said said = both([&]() { callers("C"); }, host);
  early.join();
  CHECK(said.one == "");
  CHECK(said.other == "");
}

TEST_CASE("one that calls and one that is called may end during the handshake") {
  const Token token = make_token();
  SUBCASE("the caller, having said hello") {
    connect::Endpoint b = endpoint({"B", 0, 1, "same"});
    const Child caller([&]() {
      connect::Courier courier(reach(b));
      const connect::Nonce nonce = connect::make_nonce();
      courier.send(transport::Kind::greeting, nonce);
      const connect::Sealer sealer = challenged(courier, token, nonce);
      connect::Hello hello;
      hello.from = {"A", 0, 1, "same"};
      hello.address = b.address();
      hello.address.pid = getpid();
      hello.to_participant = b.self().participant;
      hello.shm = true;
      hello.ring_capacity = 4096;
      courier.send(transport::Kind::proof, sealer.seal(transport::Kind::proof, {}));
      courier.send(transport::Kind::hello,
                   sealer.seal(transport::Kind::hello, connect::encode(hello)));
      die();
    });
    transport::Hub hub;
    CHECK(contains(error_of([&]() { b.accept(hub, "A", only_rank, token, Deadline(limit_s)); }),
                   "ended while the connection was made"));
  }
  SUBCASE("the called one, without accepting") {
    auto b = std::make_unique<connect::Endpoint>(endpoint({"B", 0, 1, "same"}));
    const connect::Address address = b->address();
    const Child called([&b]() {
      pollfd caller{b->listener().descriptor(), POLLIN, 0};
      ::poll(&caller, 1, static_cast<int>(1000 * limit_s));
      die();
    });
    b.reset(); // the child still listens
    connect::Endpoint a = endpoint({"A", 0, 1, "same"});
    transport::Hub hub;
    CHECK(contains(error_of([&]() {
                     a.connect(hub, Target{address, "B", 0}, token, Deadline(limit_s));
                   }),
                   "ended")); // accepted by the system only
  }
  SUBCASE("the called one, before") {
    auto b = std::make_unique<connect::Endpoint>(endpoint({"B", 0, 1, "same"}));
    const connect::Address address = b->address();
    b.reset();
    connect::Endpoint a = endpoint({"A", 0, 1, "same"});
    transport::Hub hub;
    CHECK(contains(error_of([&]() {
                     a.connect(hub, Target{address, "B", 0}, token, Deadline(limit_s));
                   }),
                   "has it ended?"));
  }
}

TEST_CASE("who does not come is named") {
  connect::Endpoint b = endpoint({"B", 0, 1, "same"});
  transport::Hub hub;
  const int ranks[] = {3};
  connect::ExpectedRanks expected =
      connect::Endpoint::begin_accept("A", ranks, make_token(), Deadline(0.8));
  CHECK(!b.accept(hub, expected, 0.01)); // nobody has come in this moment
  CHECK(error_of([&]() { static_cast<void>(b.accept(hub, expected, 60)); }) ==
        "rank 3 of participant \"A\" did not connect within 0.8 s");
  CHECK(contains(error_of([&]() {
                   connect::Endpoint a = endpoint({"A", 0, 1, "same"});
                   a.connect(hub, Target{b.address(), "B", 0}, make_token(), Deadline(0.2));
                 }),
                 "did not accept our connection"));
}

TEST_CASE("an unknown interface is answered with those there are") {
  NetworkSettings settings;
  settings.network = "nowhere0";
  const std::string said = error_of([&]() {
    const connect::Endpoint e({"A", 0, 1, ""}, settings);
  });
  CHECK(contains(said, "no network interface \"nowhere0\""));
  CHECK(contains(said, "lo"));
}

TEST_CASE("a port that is taken is named") {
  const connect::Endpoint one = endpoint({"A", 0, 1, ""});
  NetworkSettings settings;
  settings.port = one.address().port - 2;
  CHECK(contains(error_of([&]() {
                   const connect::Endpoint e({"B", 2, 3, ""}, settings);
                 }),
                 fmt::format("port {}: Address already in use", one.address().port)));
}

TEST_CASE("a transport can be forced") {
  setenv("ISTHMUS_TRANSPORT", "tcp", 1);
  {
    const Pair pair(NetworkSettings::automatic);
    CHECK(pair.a.transport(0) == "tcp");
  }
  setenv("ISTHMUS_TRANSPORT", "pigeon", 1);
  CHECK(contains(error_of([]() {
                   const connect::Endpoint e({"A", 0, 1, ""}, NetworkSettings{});
                 }),
                 "pigeon"));
  unsetenv("ISTHMUS_TRANSPORT");
  const Pair pair(NetworkSettings::automatic);
  CHECK(pair.a.transport(0) == "shm");
}

TEST_CASE("an interface has an address; one that is not there is an error that lists the others") {
  CHECK(is_loopback(interface_address("lo")));
  for (const std::string ip : {"::1", "127.1.2.3"}) {
    CHECK(is_loopback(ip));
  }
  for (const std::string ip : {"10.1.2.3", "fd00::1", ""}) {
    CHECK_FALSE(is_loopback(ip));
  }
  const std::string said = error_of([] { (void)interface_address("no-such"); });
  CHECK(contains(said, "no network interface \"no-such\" that is up and has an address"));
  CHECK(contains(said, "one of: "));
  CHECK(contains(said, "lo"));
}
