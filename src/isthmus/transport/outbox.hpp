// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/posted_message.hpp"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace isthmus::transport {

/// Messages that leave over one channel, cut into segments: first those that are queued, then those
/// that are posted. Never waits.
class Outbox {
 public:
  /// With `checked` messages carry checksums.
  explicit Outbox(bool checked) : checked_(checked) {}

  /// Keeps the payload until it has left.
  void queue(Kind kind, std::vector<std::byte> payload);
  /// Behind all that were posted before. It must stay where it is until it has left or withdraw().
  void post(Outgoing& message);
  /// Forgets what is posted.
  void withdraw() { posted_ = nullptr; }
  /// Forgets what is queued.
  void clear_queue() { queue_.clear(); }

  [[nodiscard]] bool has_queued() const { return !queue_.empty(); }
  /// All of it is in the channel.
  [[nodiscard]] bool empty() const { return queue_.empty() && posted_ == nullptr; }
  /// Bytes that are not in the channel yet, with all headers.
  [[nodiscard]] std::size_t left() const;
  /// Writes what the channel takes now. Returns whether that is anything.
  bool write(Channel& channel);

  [[nodiscard]] const OneWayTraffic& traffic() const { return traffic_; }

 private:
  struct Queued {
    Kind kind;
    std::vector<std::byte> payload;
    std::size_t done; // bytes
  };

  void write_segment(Channel& channel, std::span<std::byte> space);
  std::size_t write_payload(std::span<std::byte> space, Header& header);
  std::size_t write_queued(std::span<std::byte> space, Header& header);
  std::size_t write_posted(std::span<std::byte> space, Header& header);

  bool checked_;
  std::deque<Queued> queue_;
  Outgoing* posted_ = nullptr; // first of a list
  std::uint32_t segments_ = 0; // sent
  OneWayTraffic traffic_;
};

} // namespace isthmus::transport
