// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/connect/courier.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/connect/network_settings.hpp"
#include "isthmus/connect/seal.hpp"
#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/shared_segment.hpp"

#include <poll.h>

#include <memory>
#include <optional>

namespace isthmus::connect {

/// A connection that came in, until both sides agree. Never waits.
class IncomingConnection {
 public:
  explicit IncomingConnection(transport::Socket socket) : courier_(std::move(socket)) {}

  /// Who has said nothing, has greeted, has shown that it knows the token, has said who it is, …
  enum class Stage { stranger, greeted, proved, known, welcomed, dropped };
  [[nodiscard]] Stage stage() const { return stage_; }
  /// It may be anybody.
  [[nodiscard]] bool is_strange() const {
    return stage_ == Stage::stranger || stage_ == Stage::greeted;
  }
  /// It has not said a word.
  [[nodiscard]] bool is_silent() const {
    return stage_ == Stage::stranger && !courier_.has_received();
  }
  [[nodiscard]] double age() const { return came_.elapsed(); } ///< seconds
  [[nodiscard]] const Hello& hello() const { return hello_; }  ///< once it is known

  /// Listens to one that is not known yet, which is so in the end; or talks nonsense, does not know
  /// the token, speaks another version, or takes too long for the proof, and is dropped.
  void listen(const Token& token);
  /// Answers with a reason.
  void refuse(const std::string& reason);
  /// Answers a known one that it is accepted, offering shared memory if `share`.
  void welcome(bool share, const NetworkSettings& settings);
  /// The channel, once a welcomed one has confirmed. Throws PeerLost if it ended.
  [[nodiscard]] std::unique_ptr<transport::Channel> conclude();

  [[nodiscard]] pollfd poll() const;

 private:
  [[nodiscard]] bool take_greeting(const Token& token);
  [[nodiscard]] bool take_proof();
  [[nodiscard]] bool take_hello();
  void answer(const Answer& answer);

  Courier courier_;
  Deadline came_{0};
  Stage stage_ = Stage::stranger;
  std::optional<Sealer> sealer_; // once it has greeted
  Hello hello_;
  transport::SharedSegment segment_; // offered
};

} // namespace isthmus::connect
