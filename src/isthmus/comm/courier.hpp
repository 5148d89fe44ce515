// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/frame.hpp"
#include "isthmus/comm/socket.hpp"

#include <optional>
#include <vector>

namespace isthmus::comm {

/// The few small messages that two processes exchange before they trust each other, over a
/// connected socket. Never waits, and never reads beyond the message asked for.
class Courier {
 public:
  explicit Courier(Socket socket) : socket_(std::move(socket)) {}

  /// Queues a message and sends what can be sent.
  void send(Kind kind, std::span<const std::byte> payload);
  /// The message of this kind once all of it is there. Throws Error for anything else, PeerLost if
  /// the connection has ended.
  [[nodiscard]] std::optional<std::vector<std::byte>> receive(Kind kind);
  /// Sends what is left. Returns whether all is sent.
  bool push();

  [[nodiscard]] const Socket& socket() const { return socket_; }
  [[nodiscard]] short events() const; ///< to poll for
  [[nodiscard]] Socket take_socket() { return std::move(socket_); }

 private:
  Socket socket_;
  std::vector<std::byte> out_; // not sent yet
  std::vector<std::byte> in_;  // of the message that arrives
};

} // namespace isthmus::comm
