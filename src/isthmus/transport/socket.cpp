// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/socket.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <set>

namespace isthmus::transport {

namespace {

sockaddr_in make_address(const std::string& ip, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  check(inet_pton(AF_INET, ip.c_str(), &address.sin_addr) == 1, "\"{}\" is no IPv4 address", ip);
  return address;
}

void set_option(const Socket& socket, int level, int option, int value) {
  setsockopt(socket.descriptor(), level, option, &value, sizeof value); // best effort
}

Socket make_socket() {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  check(socket.descriptor() >= 0, "cannot open a socket: {}", std::strerror(errno));
  return socket;
}

// An idle connection to a host that vanished ends after 5 + 3 * 1 seconds. TCP_USER_TIMEOUT would
// do the same for a busy one, but also ends connections to a peer that computes and reads later:
// see is_unanswered().
void tune(const Socket& socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

} // namespace

Socket::~Socket() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

std::string interface_address(std::string_view interface) {
  ifaddrs* list = nullptr;
  check(getifaddrs(&list) == 0, "cannot list the network interfaces: {}", std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  std::set<std::string> usable;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET ||
        (entry->ifa_flags & IFF_UP) == 0) {
      continue;
    }
    if (interface == entry->ifa_name) {
      char text[INET_ADDRSTRLEN] = {};
      const auto* address = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
      inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
      return text;
    }
    usable.insert(entry->ifa_name);
  }
  fail(
      "this host has no network interface \"{}\" with an IPv4 address; set network=\"…\" to one "
      "of: {}",
      interface, fmt::join(usable, ", "));
}

Socket listen_at(const std::string& ip, std::uint16_t port) {
  Socket socket = make_socket();
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  const sockaddr_in address = make_address(ip, port);
  const int bound =
      ::bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  check(bound == 0, "cannot listen at {} port {}: {}; port=\"0\" takes any free one", ip, port,
        std::strerror(errno));
  check(::listen(socket.descriptor(), SOMAXCONN) == 0, "cannot listen at {} port {}: {}", ip, port,
        std::strerror(errno));
  return socket;
}

std::uint16_t local_port(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

std::optional<Socket> accept_at(const Socket& listener) {
  const int descriptor =
      ::accept4(listener.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) {
    if (errno == EMFILE || errno == ENFILE) {
      throw TooManyFiles(
          "cannot accept a connection: too many open files; raise the limit (ulimit -n)");
    }
    return std::nullopt;
  }
  Socket socket(descriptor);
  tune(socket);
  return socket;
}

Socket begin_connect(const std::string& ip, std::uint16_t port) {
  Socket socket = make_socket();
  tune(socket);
  const sockaddr_in address = make_address(ip, port);
  const int connected =
      ::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  check(connected == 0 || errno == EINPROGRESS || errno == ECONNREFUSED || errno == EINTR,
        "cannot connect to {} port {}: {}", ip, port, std::strerror(errno));
  return socket;
}

int connect_result(const Socket& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) {
    return error;
  }
  sockaddr_in address{};
  size = sizeof address;
  const int known = getpeername(socket.descriptor(), reinterpret_cast<sockaddr*>(&address), &size);
  return known == 0 ? 0 : ECONNREFUSED;
}

bool is_unanswered(const Socket& socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket.descriptor(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return false;
  }
  // An answer sets both counts to zero, also that of a peer which has no room at the moment.
  constexpr unsigned tries = 3;
  constexpr unsigned silence_ms = 6000;
  return (info.tcpi_retransmits >= tries || info.tcpi_probes >= tries) &&
         info.tcpi_last_ack_recv >= silence_ms;
}

} // namespace isthmus::transport
