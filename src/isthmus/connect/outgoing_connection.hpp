// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/settings.hpp"
#include "isthmus/connect/courier.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/transport/channel.hpp"

#include <poll.h>

#include <memory>

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
  OutgoingConnection(Target target, Hello hello, const comm::NetworkSettings& settings);

  /// Does the next step if it can be done. Returns the channel when both sides agree. Throws Error
  /// naming the peer if it does not listen, refuses or ends, Outdated if it is another instance.
  [[nodiscard]] std::unique_ptr<transport::Channel> advance();

  [[nodiscard]] pollfd poll() const;
  [[nodiscard]] const transport::Peer& peer() const { return peer_; }

 private:
  [[nodiscard]] bool connected();
  [[nodiscard]] std::unique_ptr<transport::Channel> conclude(const Answer& answer);

  Target target_;
  Hello hello_;
  transport::Peer peer_;
  Deadline reach_; // for the connection as such
  Courier courier_;
  bool said_hello_ = false;
};

} // namespace isthmus::connect
