// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/connect/courier.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/connect/network_settings.hpp"
#include "isthmus/connect/seal.hpp"
#include "isthmus/transport/channel.hpp"

#include <poll.h>

#include <memory>
#include <optional>
#include <span>

namespace isthmus::connect {

/// A rank to connect to.
struct Target {
  Address address;
  std::string participant;
  int rank = 0;
};

/// A connection on its way to a rank that listens, until both sides agree. Never waits.
class OutgoingConnection {
 public:
  /// `token`: of the instance that is called.
  OutgoingConnection(Target target, Hello hello, const Token& token,
                     const NetworkSettings& settings);

  /// Does the next step if it can be done. Returns the channel when both sides agree. Throws Error
  /// naming the peer if it does not listen, refuses or ends, Outdated if it does not know the
  /// token: another instance, or a stranger in its place.
  [[nodiscard]] std::unique_ptr<transport::Channel> advance();

  [[nodiscard]] pollfd poll() const;
  [[nodiscard]] const transport::Peer& peer() const { return peer_; }

 private:
  [[nodiscard]] bool connected();
  [[nodiscard]] bool take_challenge();
  [[nodiscard]] Answer open(std::span<const std::byte> sealed) const;
  [[nodiscard]] std::unique_ptr<transport::Channel> conclude(const Answer& answer);

  Target target_;
  Hello hello_;
  transport::Peer peer_;
  Deadline reach_; // for the connection as such
  Courier courier_;
  Token token_;
  Nonce nonce_ = make_nonce();
  bool greeted_ = false;
  std::optional<Sealer> sealer_; // once it has challenged us, and has learned who we are
};

} // namespace isthmus::connect
