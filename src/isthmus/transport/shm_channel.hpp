// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/shared_segment.hpp"
#include "isthmus/transport/socket.hpp"

#include <cstdint>

namespace isthmus::transport {

/// Two rings in memory shared with a process on the same host. The TCP connection over which both
/// met stays open: it wakes a sleeping peer, and its end shows that the peer has ended.
class ShmChannel final : public Channel {
 public:
  /// `side` is 0 for the creator of the segment, 1 for the other.
  ShmChannel(SharedSegment segment, int side, Socket bell, Peer peer);

  [[nodiscard]] std::span<std::byte> writable() override;
  void commit(std::size_t n) override;
  [[nodiscard]] std::span<const std::byte> readable() override;
  void consume(std::size_t n) override;
  void progress() override;
  [[nodiscard]] bool flushed() const override { return true; }
  [[nodiscard]] int descriptor() const override { return bell_.descriptor(); }
  [[nodiscard]] short arm() override;
  void disarm() override;
  [[nodiscard]] std::string_view kind() const override { return "shm"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  [[nodiscard]] bool congested() const { return capacity_ - (head_ - seen_tail_) < capacity_ / 8; }
  void look_at_tail();
  void look_at_head();
  void wake_peer();

  SharedSegment segment_;
  int side_;
  Socket bell_;
  Peer peer_;
  std::uint64_t capacity_;
  std::byte* out_;
  const std::byte* in_;
  RingPositions& out_at_;
  RingPositions& in_at_;
  std::uint64_t head_ = 0;      // of the outgoing ring
  std::uint64_t seen_tail_ = 0; // of the outgoing ring, when last looked at
  std::uint64_t tail_ = 0;      // of the incoming ring
  std::uint64_t seen_head_ = 0; // of the incoming ring, when last looked at
  bool wants_space_ = false;    // the last writable() was empty
  bool finished_ = false;       // the peer has ended
};

} // namespace isthmus::transport
