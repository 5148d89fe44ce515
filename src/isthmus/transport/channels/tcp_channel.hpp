// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"
#include "isthmus/transport/channels/byte_ring.hpp"
#include "isthmus/transport/socket.hpp"

namespace isthmus::transport {

/// A TCP connection with a buffer for each direction.
class TcpChannel final : public Channel {
 public:
  /// `socket` is connected and does not block; `capacity` bytes per direction, a power of two.
  TcpChannel(Socket socket, Peer peer, std::size_t capacity = std::size_t{1} << 18);
  ~TcpChannel() override;

  [[nodiscard]] std::span<std::byte> writable() override;
  void commit(std::size_t n) override { out_.append(n); }
  [[nodiscard]] std::span<const std::byte> readable() override { return in_.content(); }
  void consume(std::size_t n) override { in_.remove(n); }
  void widen(std::size_t room) override;
  [[nodiscard]] std::size_t held() override;
  void progress() override;
  void finish() override;
  [[nodiscard]] bool flushed() const override { return out_.size() == 0; }
  [[nodiscard]] bool delivered() const override;
  [[nodiscard]] int descriptor() const override { return socket_.descriptor(); }
  [[nodiscard]] short arm() override;
  void disarm() override;
  [[nodiscard]] std::string_view kind() const override { return "tcp"; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  void send_some();
  void receive_some();

  Socket socket_;
  Peer peer_;
  std::size_t capacity_;
  std::size_t limit_; // bytes in out_
  ByteRing out_;
  ByteRing in_;
  bool ends_ = false;     // the peer is to be notified when all is sent that there is
  bool deaf_ = false;     // the peer takes nothing any more
  bool finished_ = false; // the peer has sent its last byte
  bool cut_off_ = false;  // the peer's host does not answer any more
  int naps_ = 0;          // since the last look at the state of the connection
};

} // namespace isthmus::transport
