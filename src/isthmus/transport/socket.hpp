// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace isthmus::transport {

/// Owner of a file descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket();

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Listens at this address of IPv4 or IPv6 only; port 0 takes any free one.
[[nodiscard]] Socket listen_at(const std::string& ip, std::uint16_t port);
[[nodiscard]] std::uint16_t local_port(const Socket& socket);

/// This process, or this host, can open no more files.
class TooManyFiles : public Error {
 public:
  using Error::Error;
};

/// Takes one connection that has arrived, if any, never waiting. Throws TooManyFiles.
[[nodiscard]] std::optional<Socket> accept_at(const Socket& listener);

/// Starts to connect without waiting; writable when connect_result() is known.
[[nodiscard]] Socket begin_connect(const std::string& ip, std::uint16_t port);
/// 0 if connected, else the errno.
[[nodiscard]] int connect_result(const Socket& socket);

/// Whether an errno says that a call has done nothing yet, and can be made again.
[[nodiscard]] bool would_block(int error);
/// Whether an errno says that nothing gets through to the other host, which may still run.
[[nodiscard]] bool means_unreachable(int error);
/// Whether the other host has stopped answering although something is on its way to it.
[[nodiscard]] bool is_unanswered(const Socket& socket);

} // namespace isthmus::transport
