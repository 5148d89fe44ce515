// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/peer.hpp"

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace isthmus::transport {

/// All streams are cut into units of this many bytes: buffers are multiples of it, so a unit is
/// never split by the end of a buffer.
constexpr std::size_t stream_unit = 32; // bytes

/// A byte stream both ways between this rank and one rank of another participant, with buffers in
/// which messages are produced and consumed in place. Nothing here waits. One thread at a time.
class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// Space that can be filled now, a multiple of stream_unit; empty while the stream is congested.
  [[nodiscard]] virtual std::span<std::byte> writable() = 0;
  /// Hands over the first `n` bytes of writable(), a multiple of stream_unit.
  virtual void commit(std::size_t n) = 0;
  /// Bytes that have arrived, as far as they lie in one piece.
  [[nodiscard]] virtual std::span<const std::byte> readable() = 0;
  virtual void consume(std::size_t n) = 0;

  /// From now on writable() has room for this many bytes more than what the channel holds by
  /// itself, in memory that is gone once they are: 0 again ends that. As far as it is possible.
  virtual void widen(std::size_t /*room*/) {}
  /// Bytes that it holds beyond what it does by itself.
  [[nodiscard]] virtual std::size_t held() { return 0; }

  /// Moves what can be moved now. Throws PeerLost once the peer is gone; what it sent before that
  /// stays readable.
  virtual void progress() = 0;
  /// Says that nothing will be committed any more: the peer learns of it behind what was, without
  /// waiting for the end of this channel.
  virtual void finish() = 0;
  /// After an error: what ends this channel waits for nobody, as the peer may wait elsewhere.
  virtual void abandon() {}
  /// Nothing committed needs another progress() to get on its way.
  [[nodiscard]] virtual bool flushed() const = 0;
  /// Nothing committed would be lost if this process ended now.
  [[nodiscard]] virtual bool delivered() const { return flushed(); }
  /// It must have said goodbye before MPI ends.
  [[nodiscard]] virtual bool ends_with_mpi() const { return false; }

  /// What poll() can sleep on; -1 if there is nothing.
  [[nodiscard]] virtual int descriptor() const { return -1; }
  /// Prepares for sleeping: the events to poll for, 0 if there is something to do already.
  [[nodiscard]] virtual short arm() = 0;
  /// Ends what arm() began.
  virtual void disarm() {}
  /// Pending MPI operations, for waiting without polling.
  [[nodiscard]] virtual std::span<MPI_Request> requests() { return {}; }

  [[nodiscard]] virtual std::string_view kind() const = 0; ///< tcp, shm, mpi
  [[nodiscard]] virtual const Peer& peer() const = 0;
};

} // namespace isthmus::transport
