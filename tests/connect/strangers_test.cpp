// SPDX-License-Identifier: BSD-3-Clause
// Who does not know the token: what it is sent, what it learns from others, and whom it holds up.
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/connect/seal.hpp"

#include "await_event.hpp"
#include "message_of.hpp"
#include "sanitized.hpp"
#include "transport/child.hpp"
#include "transport/pair.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace isthmus;
using namespace isthmus::connect;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

using Bytes = std::vector<std::byte>;

constexpr int only_rank[] = {0};

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += fmt::format("{:02x}", static_cast<int>(byte));
  }
  return text;
}

Socket reach(const Address& address) {
  Socket socket = begin_connect(address.ip, address.port);
  pollfd wait{socket.descriptor(), POLLOUT, 0};
  ::poll(&wait, 1, 1000);
  return socket;
}

void say(const Socket& socket, const Bytes& bytes) {
  CHECK(::send(socket.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
        static_cast<ssize_t>(bytes.size()));
}

/// A head of a message that announces so many bytes.
Bytes head(Kind kind, std::uint32_t length) {
  std::array<std::byte, header_bytes> bytes{};
  write_header({.kind = kind, .length = length, .total = length}, bytes);
  return {bytes.begin(), bytes.end()};
}

/// Until the other side hangs up, and what it says until then.
Bytes until_end(const Socket& socket) {
  Bytes received;
  await_event("the connection does not end", [&] {
    pollfd wait{socket.descriptor(), POLLIN, 0};
    if (::poll(&wait, 1, 0) != 1) {
      return false;
    }
    std::array<std::byte, 4096> piece{};
    const ssize_t got = ::recv(socket.descriptor(), piece.data(), piece.size(), MSG_DONTWAIT);
    received.insert(received.end(), piece.begin(), piece.begin() + std::max<ssize_t>(got, 0));
    return got <= 0;
  });
  return received;
}

/// What comes of this kind.
Bytes next(Courier& courier, Kind kind) {
  std::optional<Bytes> received;
  await_event("the other side says nothing more", [&] {
    received = courier.receive(kind);
    return received.has_value();
  });
  return *received;
}

/// What A and B are, each with an endpoint; A calls B.
struct Two {
  Endpoint a{{"A", 0, 1, "same"}, NetworkSettings{}};
  Endpoint b{{"B", 0, 1, "same"}, NetworkSettings{}};
  Token token = make_token();

  /// `at`: where A believes B to be.
  Said meet(const Address& at) {
    Hub hub_a;
    Hub hub_b;
    return both(
        [&] {
          a.connect(hub_a, Target{at, "B", 0}, token, Deadline(limit_s));
        },
        [&] { b.accept(hub_b, "A", only_rank, token, Deadline(limit_s)); });
  }
  void check_meet() {
    const Said said = meet(b.address());
    CHECK(said.one.empty());
    CHECK(said.other.empty());
  }
  /// B waits for A in a thread while `work` is done, after which A comes.
  template <typename Work>
  void while_b_waits(const Work& work) {
    Hub hub_a;
    Hub hub_b;
    const Said said = both(
        [&] {
          work();
          a.connect(hub_a, Target{b.address(), "B", 0}, token, Deadline(limit_s));
        },
        [&] { b.accept(hub_b, "A", only_rank, token, Deadline(limit_s)); });
    CHECK(said.one.empty());
    CHECK(said.other.empty());
  }
};

/// Stands between A and B, and writes down what they say.
class Eavesdropper {
 public:
  explicit Eavesdropper(Address behind)
      : listener_(listen_at("127.0.0.1", 0)),
        behind_(std::move(behind)),
        thread_([this] { run(); }) {}
  Eavesdropper(const Eavesdropper&) = delete;
  Eavesdropper& operator=(const Eavesdropper&) = delete;
  ~Eavesdropper() { stop(); }

  [[nodiscard]] Address address() const {
    Address address = behind_;
    address.port = local_port(listener_);
    return address;
  }
  void stop() {
    ends_ = true;
    if (thread_.joinable()) {
      thread_.join();
    }
  }
  Bytes from_caller; // once it has stopped
  Bytes from_called;

 private:
  void run() {
    std::optional<Socket> caller;
    while (!ends_ && !caller) {
      caller = accept_at(listener_);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!caller) {
      return;
    }
    const Socket called = reach(behind_);
    while (!ends_) {
      pass(*caller, called, from_caller);
      pass(called, *caller, from_called);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  static void pass(const Socket& from, const Socket& to, Bytes& seen) {
    std::array<std::byte, 65536> piece{};
    const ssize_t got = ::recv(from.descriptor(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (got > 0) {
      seen.insert(seen.end(), piece.begin(), piece.begin() + got);
      static_cast<void>(
          ::send(to.descriptor(), piece.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL));
    }
  }

  Socket listener_;
  Address behind_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

bool holds(const Bytes& all, std::span<const std::byte> part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

} // namespace

TEST_CASE("a seal is the keyed hash that Python makes of the same bytes") {
  Token token{};
  Nonce caller{};
  Nonce called{};
  for (std::size_t i = 0; i < token.size(); ++i) {
    token[i] = static_cast<std::byte>(i);
  }
  for (std::size_t i = 0; i < caller.size(); ++i) {
    caller[i] = static_cast<std::byte>(100 + i);
    called[i] = static_cast<std::byte>(200 + i);
  }
  const Sealer sealer(token, caller, called);
  const Bytes message = bytes_of("who I am");
  const Bytes sealed = sealer.seal(Kind::hello, message);
  REQUIRE(sealed.size() == message.size() + Sealer::seal_bytes);
  // hmac.new(token, caller + called + b"\x02\x00" + b"who I am", "sha256").hexdigest()
  CHECK(hex(std::span(sealed).last(Sealer::seal_bytes)) ==
        "1b8f1283155ed4d2c38dd311643d7c016946e0e21c253783ea20130f23426abd");
  CHECK(hex(sealer.seal(Kind::proof, {})) ==
        "100d6b800b300df761ced228d8417c2981c92bf2a1d377fb5ddc40383c2cbf59");
  const auto opened = sealer.open(Kind::hello, sealed);
  REQUIRE(opened);
  CHECK(Bytes(opened->begin(), opened->end()) == message);
}

TEST_CASE("a seal holds for its token, connection, kind and message only") {
  const Token token = make_token();
  const Nonce one = make_nonce();
  const Nonce other = make_nonce();
  CHECK(one != other);
  const Sealer sealer(token, one, other);
  const Bytes sealed = sealer.seal(Kind::hello, bytes_of("message"));
  CHECK(sealer.open(Kind::hello, sealed));
  CHECK_FALSE(sealer.open(Kind::answer, sealed));
  CHECK_FALSE(Sealer(make_token(), one, other).open(Kind::hello, sealed));
  CHECK_FALSE(Sealer(token, other, one).open(Kind::hello, sealed));
  CHECK_FALSE(Sealer(token, make_nonce(), other).open(Kind::hello, sealed));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    Bytes changed = sealed;
    changed[i] ^= std::byte{1};
    CHECK_FALSE(sealer.open(Kind::hello, changed));
    CHECK_FALSE(sealer.open(Kind::hello, std::span(sealed).first(i)));
  }
  CHECK(message_of([] { static_cast<void>(nonce_from(Bytes(31))); }) ==
        "a nonce has 31 bytes instead of 32");
}

TEST_CASE("who listens in between sees no token, and what it has seen opens no door") {
  Two two;
  Eavesdropper between(two.b.address());
  const Said said = two.meet(between.address());
  CHECK(said.one.empty());
  CHECK(said.other.empty());
  between.stop();
  const std::string as_text = to_hex(two.token);
  for (const Bytes* seen : {&between.from_caller, &between.from_called}) {
    CHECK(seen->size() > 100);
    CHECK_FALSE(holds(*seen, two.token));
    CHECK_FALSE(holds(*seen, std::as_bytes(std::span(as_text))));
  }
  two.while_b_waits([&] { // the same once more
    const Socket stranger = reach(two.b.address());
    say(stranger, between.from_caller);
    const Bytes received = until_end(stranger);
    CHECK(holds(received, bytes_of(wrong_token)));
  });
}

TEST_CASE("who stands in the place of another one is found out by who calls") {
  Two two;
  const Socket listener = listen_at("127.0.0.1", 0);
  Address address = two.b.address();
  address.port = local_port(listener);
  const auto stand_in = [&] { // it guesses a token
    std::optional<Socket> caller;
    await_event("nobody calls", [&] {
      caller = accept_at(listener);
      return caller.has_value();
    });
    Courier courier(std::move(*caller));
    const Bytes greeting = next(courier, Kind::greeting);
    const Nonce own = make_nonce();
    courier.send(Kind::challenge, own);
    for (const Kind kind : {Kind::proof, Kind::hello}) {
      next(courier, kind);
    }
    const Sealer sealer(make_token(), nonce_from(greeting), own);
    courier.send(Kind::answer, sealer.seal(Kind::answer, encode(Answer{})));
    until_end(courier.socket()); // it stays until the caller goes
  };
  Hub hub;
  std::string said;
  const auto call = [&] {
    try {
      two.a.connect(hub, Target{address, "B", 0}, two.token, Deadline(limit_s));
    } catch (const Outdated& outdated) {
      said = outdated.what();
    }
  };
  both(call, stand_in);
  CHECK(contains(said, "token is wrong"));
  CHECK(hub.size() == 0);
}

TEST_CASE("a stranger is dropped at once whatever it announces, sends or leaves out") {
  Two two;
  two.while_b_waits([&] {
    for (const Bytes& bytes :
         {head(Kind::greeting, 33), head(Kind::greeting, 1U << 20), head(Kind::greeting, 31),
          head(Kind::hello, 100), head(Kind::answer, 32), head(Kind::data, 1U << 30),
          bytes_of("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), Bytes(100000, std::byte{0xff})}) {
      const Socket stranger = reach(two.b.address());
      Bytes said = bytes;
      if (bytes.size() == header_bytes) {
        said.resize(header_bytes + 32); // with something behind the head
      }
      static_cast<void>(::send(stranger.descriptor(), said.data(), said.size(), MSG_NOSIGNAL));
      until_end(stranger);
    }
  });
}

TEST_CASE(
    "one that greets and shows no proof, or too long a one, learns that it is wrong or nothing") {
  Two two;
  two.while_b_waits([&] {
    for (const std::uint32_t size : {32U, 33U, 1U << 20}) {
      Courier courier(reach(two.b.address()));
      courier.send(Kind::greeting, make_nonce());
      next(courier, Kind::challenge);
      courier.send(Kind::proof, Bytes(size));
      const Bytes received = until_end(courier.socket());
      CHECK(holds(received, bytes_of(wrong_token)) == (size == 32U));
    }
  });
}

TEST_CASE("who speaks another version of the protocol learns so and holds up nobody") {
  Two two;
  two.while_b_waits([&] {
    const Socket stranger = reach(two.b.address());
    Bytes other = head(Kind::greeting, 0);
    other[6] = std::byte{77}; // the version
    say(stranger, other);
    CHECK(holds(until_end(stranger), bytes_of("version 77 of the protocol meets version " +
                                              std::to_string(protocol_version))));
  });
}

TEST_CASE(
    "hundreds of connections that say nothing, or half of something, hold up nobody for long") {
  Two two;
  std::vector<Socket> strangers;
  for (int i = 0; i < 300; ++i) { // more than are listened to at a time
    strangers.push_back(reach(two.b.address()));
    if (i % 16 == 0) {
      const Bytes begun = head(Kind::greeting, 32);
      say(strangers.back(), {begun.begin(), begun.begin() + 16});
    }
  }
  two.check_meet();
}

// The sanitizer of undefined behaviour opens a pipe to look at memory, and takes a failure for
// memory that is not there.
TEST_CASE("strangers that leave no file to open are dropped before that is an error" *
          doctest::skip(is_sanitized)) {
  const Child child([] { // with limits of its own
    Two two;
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    Cue all_wait;
    Cue never; // the crowd is killed
    limit.rlim_cur = static_cast<rlim_t>(fcntl(0, F_DUPFD, 0)) + 20;
    const Child crowd([&two, &all_wait, &never] {
      std::vector<Socket> strangers;
      for (int i = 0; i < 60; ++i) {
        strangers.push_back(reach(two.b.address()));
      }
      all_wait.give();
      never.await();
    });
    all_wait.await();
    const Child a([&two] { // the files that B runs out of are not its own
      Hub hub;
      two.a.connect(hub, Target{two.b.address(), "B", 0}, two.token, Deadline(limit_s));
    });
    setrlimit(RLIMIT_NOFILE, &limit);
    Hub hub;
    two.b.accept(hub, "A", only_rank, two.token, Deadline(limit_s));
    check(a.exit_code() == 0, "A was not let in");
  });
  CHECK(child.exit_code() == 0);
}
