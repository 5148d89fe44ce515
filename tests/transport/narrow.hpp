// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/byte_ring.hpp"
#include "isthmus/transport/peer.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace isthmus::transport::testing {

/// One end of a channel in memory that takes 128 bytes at once; all in one thread.
class Narrow final : public Channel {
 public:
  Narrow(ByteRing& out, ByteRing& in, Peer peer) : out_(out), in_(in), peer_(std::move(peer)) {}

  [[nodiscard]] std::span<std::byte> writable() override { return out_.space(); }
  void commit(std::size_t n) override { out_.append(n); }
  [[nodiscard]] std::span<const std::byte> readable() override { return in_.content(); }
  void consume(std::size_t n) override { in_.remove(n); }
  void progress() override {
    if (is_cut && in_.size() == 0) {
      throw PeerLost("the wire is cut");
    }
  }
  void finish() override {}
  [[nodiscard]] bool flushed() const override { return true; }
  [[nodiscard]] short arm() override { return 0; }
  [[nodiscard]] std::string_view kind() const override { return "narrow"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

  bool is_cut = false;

 private:
  ByteRing& out_;
  ByteRing& in_;
  Peer peer_;
};

/// The rings between two ends.
struct Wires {
  ByteRing there{128};
  ByteRing back{128};

  [[nodiscard]] Narrow near(const std::string& peer) { return {there, back, {peer, 0, "host", 1}}; }
  [[nodiscard]] Narrow far(const std::string& peer) { return {back, there, {peer, 0, "host", 1}}; }
};

} // namespace isthmus::transport::testing
