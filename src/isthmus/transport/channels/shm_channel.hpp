// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/shared_segment.hpp"
#include "isthmus/transport/channels/spilling_ring.hpp"
#include "isthmus/transport/socket.hpp"

namespace isthmus::transport {

/// Two rings in memory shared with a process on the same host, which takes by itself what is in
/// them. The connection over which both met wakes a sleeping peer, and ends when the peer ends.
class ShmChannel final : public Channel {
 public:
  /// `side` is 0 for the creator of the segment, 1 for the other.
  ShmChannel(SharedSegment segment, int side, Socket bell, Peer peer);

  [[nodiscard]] std::span<std::byte> writable() override { return out_.space(); }
  void commit(std::size_t n) override;
  [[nodiscard]] std::span<const std::byte> readable() override { return in_.content(); }
  void consume(std::size_t n) override;
  void progress() override;
  void finish() override;
  void widen(std::size_t room) override { out_.widen(room); }
  [[nodiscard]] std::size_t held() override { return out_.held(); }
  [[nodiscard]] bool flushed() const override { return true; }
  [[nodiscard]] int descriptor() const override { return bell_.descriptor(); }
  [[nodiscard]] short arm() override;
  void disarm() override;
  [[nodiscard]] std::string_view kind() const override { return "shm"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  void wake_peer();

  SharedSegment segment_;
  int side_;
  Socket bell_;
  Peer peer_;
  SpillingWriter out_;
  SpillingReader in_;
  bool ends_ = false;     // this side has ended
  bool finished_ = false; // the peer has ended
  bool cut_off_ = false;  // the network over which the bell rings is down
};

} // namespace isthmus::transport
