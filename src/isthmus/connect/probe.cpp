// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/connect/probe.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/host.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace isthmus::connect {

namespace {

bool is_connected(const transport::Socket& socket) {
  char byte = 0;
  const ssize_t got = ::recv(socket.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got > 0 || (got < 0 && transport::would_block(errno));
}

} // namespace

bool Probe::is_alive() {
  if (address_.process_space == process_space()) {
    return start_time(address_.pid) == address_.started;
  }
  return is_connected(socket_) || can_connect(); // the other side may drop who says nothing
}

bool Probe::can_connect() {
  constexpr int limit_ms = 5000; // the first tries may be lost
  try {
    socket_ = transport::begin_connect(address_.ip, address_.port);
  } catch (const Error&) { // there is no way to that network
    return false;
  }
  pollfd wait{socket_.descriptor(), POLLOUT, 0};
  return ::poll(&wait, 1, limit_ms) == 1 && connect_result(socket_) == 0;
}

} // namespace isthmus::connect
