// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/socket.hpp"

#include "isthmus/base/error.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace isthmus::transport {

namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

// No name is looked up. One of IPv6 that belongs to a link says which by the name of its interface.
SocketAddress make_address(const std::string& ip, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(ip.c_str(), std::to_string(port).c_str(), &hints, &found);
  check(error == 0, "\"{}\" is no address that this host can use: {}", ip, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  SocketAddress address;
  std::memcpy(&address.storage, found->ai_addr, found->ai_addrlen);
  address.size = found->ai_addrlen;
  return address;
}

void set_option(const Socket& socket, int level, int option, int value) {
  setsockopt(socket.descriptor(), level, option, &value, sizeof value); // best effort
}

Socket make_socket(int family) {
  Socket socket(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
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

Socket listen_at(const std::string& ip, std::uint16_t port) {
  SocketAddress address = make_address(ip, port);
  Socket socket = make_socket(address.storage.ss_family);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  const int bound = ::bind(socket.descriptor(), address.get(), address.size);
  check(bound == 0, "cannot listen at {} port {}: {}; port=\"0\" takes any free one", ip, port,
        std::strerror(errno));
  const int listening = ::listen(socket.descriptor(), SOMAXCONN);
  check(listening == 0, "cannot listen at {} port {}: {}", ip, port, std::strerror(errno));
  return socket;
}

std::uint16_t local_port(const Socket& socket) {
  SocketAddress address;
  getsockname(socket.descriptor(), address.get(), &address.size);
  return ntohs(address.storage.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(address.get())->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(address.get())->sin_port);
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
  SocketAddress address = make_address(ip, port);
  Socket socket = make_socket(address.storage.ss_family);
  tune(socket);
  const int connected = ::connect(socket.descriptor(), address.get(), address.size);
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
  SocketAddress address;
  const int known = getpeername(socket.descriptor(), address.get(), &address.size);
  return known == 0 ? 0 : ECONNREFUSED;
}

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

bool means_unreachable(int error) {
  return error == ETIMEDOUT || error == EHOSTUNREACH || error == EHOSTDOWN ||
         error == ENETUNREACH || error == ENETDOWN;
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
