// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/frame.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::transport {

using LinkId = int;

/// A message of a step whose payload is produced where it leaves from, piece by piece in order.
/// Pieces begin at multiples of 8 bytes.
struct Outgoing {
  LinkId link = -1;
  Kind kind = Kind::data;
  std::size_t bytes = 0;
  void* context = nullptr;
  void (*fill)(void* context, std::size_t offset, std::span<std::byte> piece) = nullptr;
  // kept by Link
  std::size_t done = 0; // bytes
  Outgoing* next = nullptr;
};

/// A message of a step whose payload is consumed where it arrives, piece by piece in order, after
/// `begin` has been told its size. Pieces begin at multiples of 8 bytes.
struct Incoming {
  LinkId link = -1;
  Kind kind = Kind::data;
  void* context = nullptr;
  void (*begin)(void* context, std::size_t bytes) = nullptr;
  void (*drain)(void* context, std::size_t offset, std::span<const std::byte> piece) = nullptr;
  // kept by Link
  Incoming* next = nullptr;
};

/// What has passed one link.
struct LinkTraffic {
  std::uint64_t messages_out = 0;
  std::uint64_t messages_in = 0;
  std::uint64_t bytes_out = 0; // payload
  std::uint64_t bytes_in = 0;  // payload

  LinkTraffic& operator+=(const LinkTraffic& other);
};

/// Messages over one channel: cuts into segments what goes out, puts together what comes in. Never
/// waits.
class Link {
 public:
  /// With `checked` messages carry checksums, and those that arrive must; checksums that arrive are
  /// verified in any case.
  Link(std::unique_ptr<Channel> channel, bool checked);

  /// Queues a message; to a peer that is gone it is dropped.
  void send(Kind kind, std::vector<std::byte> payload);
  /// Takes the oldest message of this kind that has arrived.
  [[nodiscard]] std::optional<std::vector<std::byte>> take(Kind kind);

  /// Messages of a step have arrived for which nothing was posted, and nobody has taken them yet.
  [[nodiscard]] bool has_unexpected() const;

  /// Posts a message of a step, after all that were queued or posted before. It must stay where it
  /// is until is_done() or withdraw(). To a peer that is gone it is dropped as long as
  /// has_unexpected(): what that said before it went comes first.
  void post(Outgoing& message);
  void post(Incoming& message);
  /// Everything queued and posted is done: sent as far as this process is needed for it, received.
  [[nodiscard]] bool is_done() const;
  /// Forgets what is posted. If a message was under way, the link is good for a goodbye only.
  void withdraw();

  /// Says why no more messages will follow ("": nothing is wrong), after all that were queued. To
  /// one that has said so itself no word is needed.
  void say_goodbye(std::string_view reason);
  /// Forgets what is queued and posted.
  void clear();
  [[nodiscard]] bool has_sent() const { return queue_.empty() && channel_->flushed(); }
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
  [[nodiscard]] const LinkTraffic& traffic() const { return traffic_; }

  bool is_active = false; ///< in the exchange of the hub

 private:
  struct Message {
    Kind kind = Kind::control;
    std::vector<std::byte> payload;
  };
  struct Queued : Message {
    std::size_t done = 0;
  };
  // The message that is arriving; goes to `sink` or, if null, to the inbox.
  struct Arrival {
    Message message;
    std::uint64_t total = 0;
    std::uint64_t done = 0;
    const Incoming* sink = nullptr;
  };
  // The segment that is arriving.
  struct Segment {
    std::size_t left = 0;
    std::size_t padding = 0;
    bool checked = false;
    std::uint32_t expected = 0;
    std::uint32_t checksum = 0;
  };

  bool write();
  void write_segment(std::span<std::byte> space);
  std::size_t write_payload(std::span<std::byte> space, Header& header);
  bool read(bool greedy);
  std::size_t parse(std::span<const std::byte> bytes, bool greedy);
  void begin_segment(const Header& header);
  void begin_message(const Header& header);
  void deliver(std::span<const std::byte> piece);
  void end_segment();
  void end_message();
  void receive_goodbye();
  [[nodiscard]] Incoming* match(Kind kind);
  static void hand_over(const std::vector<std::byte>& payload, const Incoming& sink);

  std::unique_ptr<Channel> channel_;
  bool checked_;
  State state_ = State::open;
  bool lost_ = false;
  std::string epitaph_;
  LinkTraffic traffic_;

  std::deque<Queued> queue_;
  Outgoing* outgoing_ = nullptr; // first of a list
  std::uint32_t sent_segments_ = 0;

  std::deque<Message> inbox_;
  Incoming* incoming_ = nullptr; // first of a list
  std::optional<Arrival> arrival_;
  Segment segment_;
  std::uint32_t received_segments_ = 0;
  std::vector<std::byte> spare_; // kept so that early messages of a step need no allocation
};

} // namespace isthmus::transport
