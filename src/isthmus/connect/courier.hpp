// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/frame.hpp"
#include "isthmus/transport/socket.hpp"

#include <optional>
#include <vector>

namespace isthmus::connect {

/// The few small messages that two processes exchange before they trust each other, over a
/// connected socket. Never waits, and never reads beyond the message asked for.
class Courier {
 public:
  /// Bytes. A hello holds the fingerprints of all parts of the configuration.
  static constexpr std::size_t most_of_known = std::size_t{1} << 20;

  explicit Courier(transport::Socket socket) : socket_(std::move(socket)) {}

  /// Queues a message and sends what can be sent.
  void send(transport::Kind kind, std::span<const std::byte> payload);
  /// The message of this kind once all of it is there. Throws Error for anything else and for one
  /// of more than `most` bytes, PeerLost if the connection has ended.
  [[nodiscard]] std::optional<std::vector<std::byte>> receive(transport::Kind kind,
                                                              std::size_t most = most_of_known);
  /// Something has arrived, if only half of a message.
  [[nodiscard]] bool has_received() const { return !in_.empty(); }
  /// Sends what is left. Returns whether all is sent.
  bool push();

  [[nodiscard]] const transport::Socket& socket() const { return socket_; }
  [[nodiscard]] short events() const; ///< to poll for
  [[nodiscard]] transport::Socket take_socket() { return std::move(socket_); }

 private:
  transport::Socket socket_;
  std::vector<std::byte> out_; // not sent yet
  std::vector<std::byte> in_;  // of the message that arrives
};

} // namespace isthmus::connect
