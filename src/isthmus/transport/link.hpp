// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/inbox.hpp"
#include "isthmus/transport/outbox.hpp"
#include "isthmus/transport/posted_message.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus::transport {

/// Messages over one channel, both ways, until one side says goodbye or is lost. Never waits.
class Link {
 public:
  /// With `checked` messages carry checksums, and those that arrive must; checksums that arrive are
  /// verified in any case.
  Link(std::unique_ptr<Channel> channel, bool checked);

  /// Queues a message; to a peer that is gone it is dropped.
  void send(Kind kind, std::vector<std::byte> payload);
  /// Takes the oldest message of this kind that has arrived.
  [[nodiscard]] std::optional<std::vector<std::byte>> take(Kind kind) { return inbox_.take(kind); }

  /// What has arrived, and what is posted.
  [[nodiscard]] const Inbox& inbox() const { return inbox_; }
  /// What has not left.
  [[nodiscard]] const Outbox& outbox() const { return outbox_; }

  /// Posts a message of a step, after all that were queued or posted before. It must stay where it
  /// is until is_done() or withdraw(). To a peer that is gone it is dropped as long as
  /// something unexpected waits in the inbox: what that said before it went comes first.
  void post(Outgoing& message);
  void post(Incoming& message) { inbox_.post(message); }
  /// Everything queued and posted is done: sent as far as this process is needed for it, received.
  [[nodiscard]] bool is_done() const {
    return outbox_.empty() && inbox_.is_done() && channel_->flushed();
  }
  /// Everything queued and posted is in the channel, if perhaps not on its way; received.
  [[nodiscard]] bool is_held() const { return outbox_.empty() && inbox_.is_done(); }
  /// Moves what can be moved; the channel may hold so many bytes more than it does by itself.
  /// Returns whether anything moved.
  bool hold(std::size_t room);
  /// Forgets what is to be received and has not begun to arrive.
  void withdraw_awaited() { inbox_.withdraw_awaited(); }
  /// Forgets what is posted. If a message was under way, the link is good for a goodbye only.
  void withdraw();

  /// Says why no more messages will follow ("": nothing is wrong), after all that were queued. To
  /// one that has said so itself no word is needed.
  void say_goodbye(std::string_view reason);
  /// Forgets what is queued and posted.
  void clear();
  [[nodiscard]] bool is_delivered() const { return is_done() && channel_->delivered(); }

  /// Moves what can be moved. Messages that nobody waits for stay in the channel unless `greedy`.
  /// Returns whether anything moved. A lost peer shows in state().
  bool pump(bool greedy);

  enum class State { open, closed, broken }; // closed: the peer said goodbye without a reason
  [[nodiscard]] State state() const { return state_; }
  /// Why the link is not open, to be followed by " while waiting for …".
  [[nodiscard]] const std::string& epitaph() const { return epitaph_; }
  /// The peer ended without a word.
  [[nodiscard]] bool is_lost() const { return lost_; }

  [[nodiscard]] Channel& channel() { return *channel_; }
  [[nodiscard]] const Channel& channel() const { return *channel_; }
  [[nodiscard]] const Peer& peer() const { return channel_->peer(); }
  [[nodiscard]] LinkTraffic traffic() const;

  bool is_active = false; ///< in the exchange of the hub

 private:
  bool end_channel();
  bool read(bool greedy);

  std::unique_ptr<Channel> channel_;
  Outbox outbox_;
  Inbox inbox_;
  State state_ = State::open;
  bool lost_ = false;
  std::string epitaph_;
};

} // namespace isthmus::transport
