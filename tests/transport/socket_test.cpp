// SPDX-License-Identifier: BSD-3-Clause
// Sockets of IPv4 and IPv6. What happens between hosts is in tests/faults/test_network.py.
#include "isthmus/transport/socket.hpp"

#include "transport/pair.hpp"

#include <doctest/doctest.h>

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::transport;
using namespace isthmus::transport::testing;

namespace {

bool has_ipv6() {
  try {
    (void)listen_at("::1", 0);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Addresses of this host alone, of each kind that it has.
std::vector<std::string> own_addresses() {
  std::vector<std::string> addresses{"127.0.0.1"};
  if (has_ipv6()) {
    addresses.emplace_back("::1");
  }
  return addresses;
}

} // namespace

TEST_CASE("bytes go from who connects to who listens, by IPv4 and IPv6") {
  for (const std::string& ip : own_addresses()) {
    CAPTURE(ip);
    const Socket listener = listen_at(ip, 0);
    CHECK(local_port(listener) > 0);
    const Socket caller = begin_connect(ip, local_port(listener));
    pollfd ready{caller.descriptor(), POLLOUT, 0};
    REQUIRE(::poll(&ready, 1, 60'000) == 1);
    CHECK(connect_result(caller) == 0);
    std::optional<Socket> called;
    for (const Deadline deadline(limit_s); !called && !deadline.passed();) {
      called = accept_at(listener);
    }
    REQUIRE(called);
    CHECK(local_port(*called) == local_port(listener));
    CHECK(::send(caller.descriptor(), "word", 4, 0) == 4);
    std::string got(4, ' ');
    pollfd filled{called->descriptor(), POLLIN, 0};
    REQUIRE(::poll(&filled, 1, 60'000) == 1);
    CHECK(::recv(called->descriptor(), got.data(), got.size(), MSG_WAITALL) == 4);
    CHECK(got == "word");
    CHECK_FALSE(is_unanswered(caller));
  }
}

TEST_CASE("a port is taken once, and where nobody listens a connection is refused") {
  for (const std::string& ip : own_addresses()) {
    CAPTURE(ip);
    std::uint16_t port = 0;
    {
      const Socket listener = listen_at(ip, 0);
      port = local_port(listener);
      CHECK(contains(error_of([&] { (void)listen_at(ip, port); }), "cannot listen at " + ip));
    }
    const Socket caller = begin_connect(ip, port);
    pollfd ready{caller.descriptor(), POLLOUT, 0};
    ::poll(&ready, 1, 60'000);
    CHECK(connect_result(caller) == ECONNREFUSED);
  }
}

TEST_CASE("names of hosts are not looked up") {
  for (const std::string ip : {"localhost", "", "::1::", "fe80::1%no-such"}) {
    CAPTURE(ip);
    CHECK(contains(error_of([&] { (void)begin_connect(ip, 1); }),
                   "is no address that this host can use"));
  }
}

TEST_CASE("a host that cannot be reached differs from a process that has ended") {
  for (const int error : {ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN}) {
    CHECK(means_unreachable(error));
  }
  for (const int error : {ECONNRESET, ECONNREFUSED, EPIPE, EAGAIN}) {
    CHECK_FALSE(means_unreachable(error));
  }
}
