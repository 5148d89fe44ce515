// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/posted_message.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::transport {

/// Messages that arrive over one channel, put together from segments: where a message is posted it
/// goes there, else it waits here to be taken. Never waits.
class Inbox {
 public:
  /// `peer`: who sends, must outlive this. With `checked` what arrives must carry checksums; those
  /// that arrive are verified in any case.
  Inbox(const Peer& peer, bool checked) : peer_(peer), checked_(checked) {}

  /// Takes the oldest message of this kind that has arrived.
  [[nodiscard]] std::optional<std::vector<std::byte>> take(Kind kind);
  /// Whether there is one.
  [[nodiscard]] bool has(Kind kind) const;
  /// Messages of a step have arrived for which nothing was posted, and nobody has taken them yet.
  [[nodiscard]] bool has_unexpected() const;
  /// Behind all that were posted before. It must stay where it is until it has come or withdraw().
  void post(Incoming& message);
  /// Nothing is posted that has not come.
  [[nodiscard]] bool is_done() const {
    return posted_ == nullptr && !(arrival_ && arrival_->sink != nullptr);
  }
  /// Forgets what is posted and has not begun to arrive.
  void withdraw_awaited() { posted_ = nullptr; }
  /// Forgets what is posted; the rest of a message that is arriving goes nowhere.
  void withdraw();

  /// Reads what is there; the head of a message that nobody waits for is left in the channel unless
  /// `greedy`. Nothing is read behind a goodbye. Returns whether anything moved.
  bool read(Channel& channel, bool greedy);
  /// What the peer gave as reason when it said goodbye; nothing as long as it has not.
  [[nodiscard]] const std::optional<std::string>& goodbye() const { return goodbye_; }

  [[nodiscard]] const OneWayTraffic& traffic() const { return traffic_; }

 private:
  struct Message {
    Kind kind = Kind::control;
    std::vector<std::byte> payload;
  };
  // The message that is arriving; goes to `sink` or, if null, to those that wait, or nowhere.
  struct Arrival {
    Message message;
    std::uint64_t total = 0;
    std::uint64_t done = 0;
    Incoming* sink = nullptr;
    bool unwanted = false;
  };
  // The segment that is arriving.
  struct Segment {
    std::size_t left = 0;
    std::size_t padding = 0;
    bool checked = false;
    std::uint32_t expected = 0;
    std::uint32_t checksum = 0;
  };

  std::size_t parse(std::span<const std::byte> bytes, bool greedy);
  void begin_segment(const Header& header);
  void begin_message(const Header& header);
  void deliver(std::span<const std::byte> piece);
  void end_segment();
  void end_message();
  [[nodiscard]] Incoming* match(Kind kind);
  static void drain_whole(const std::vector<std::byte>& payload, const Incoming& sink);

  const Peer& peer_;
  bool checked_;
  std::deque<Message> waiting_;
  Incoming* posted_ = nullptr; // first of a list
  std::optional<Arrival> arrival_;
  Segment segment_;
  std::uint32_t segments_ = 0;   // received
  std::vector<std::byte> spare_; // kept so that early messages of a step need no allocation
  std::optional<std::string> goodbye_;
  OneWayTraffic traffic_;
};

} // namespace isthmus::transport
