// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/settings.hpp"
#include "isthmus/connect/courier.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/shared_segment.hpp"

#include <poll.h>

#include <memory>
#include <optional>

namespace isthmus::connect {

/// A connection that came in, until both sides agree. Never waits.
class IncomingConnection {
 public:
  explicit IncomingConnection(transport::Socket socket)
      : courier_(std::move(socket)), limit_(hello_limit_s) {}

  enum class Stage { stranger, known, welcomed, dropped };
  [[nodiscard]] Stage stage() const { return stage_; }
  [[nodiscard]] const Hello& hello() const { return hello_; } ///< unless a stranger or dropped

  /// Listens to a stranger: says hello and is known, or talks nonsense or nothing for too long and
  /// is dropped. Throws Error if it speaks another version of the protocol.
  void listen();
  /// Answers a known one with a reason.
  void refuse(const std::string& reason);
  /// Answers a known one that it is accepted, offering shared memory if `share`.
  void welcome(bool share, const comm::NetworkSettings& settings);
  /// The channel, once a welcomed one has confirmed. Throws PeerLost if it ended.
  [[nodiscard]] std::unique_ptr<transport::Channel> conclude();

  [[nodiscard]] pollfd poll() const;

 private:
  static constexpr double hello_limit_s = 5;

  Courier courier_;
  Deadline limit_; // for strangers
  Stage stage_ = Stage::stranger;
  Hello hello_;
  transport::SharedSegment segment_; // offered
};

} // namespace isthmus::connect
