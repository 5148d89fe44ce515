// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channels/shared_segment.hpp"
#include "isthmus/transport/peer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::transport {

/// The end of a ring in shared memory at which bytes are produced; the reader's position is looked
/// at only when the ring seems to be full. Throws Error if the peer damages the positions.
class SharedRingWriter {
 public:
  /// The memory, its positions and `peer` must outlive this.
  SharedRingWriter(std::byte* bytes, std::uint64_t capacity, RingPositions& positions,
                   const Peer& peer)
      : bytes_(bytes), capacity_(capacity), positions_(positions), peer_(peer) {}

  /// Free space, as far as it lies in one piece; empty while little is free.
  [[nodiscard]] std::span<std::byte> space() {
    if (is_congested()) {
      look();
    }
    wants_space_ = is_congested();
    if (wants_space_) {
      return {};
    }
    const std::uint64_t at = head_ & (capacity_ - 1);
    // A quarter at most, so that the peer reads while we write.
    return {bytes_ + at,
            std::min({capacity_ - (head_ - seen_tail_), capacity_ - at, capacity_ / 4})};
  }
  void append(std::size_t n) {
    head_ += n;
    positions_.head.store(head_);
  }
  /// The last space() was empty, and the next one is not.
  [[nodiscard]] bool has_new_space() {
    look();
    return wants_space_ && !is_congested();
  }

  /// Bytes that the reader has not taken, as far as that is known.
  [[nodiscard]] std::uint64_t size() const { return head_ - seen_tail_; }
  /// The same after a look.
  [[nodiscard]] std::uint64_t size_now() {
    look();
    return size();
  }
  /// Free space, however little, as far as it lies in one piece, and where in the ring it begins.
  [[nodiscard]] std::span<std::byte> all_space() {
    const std::uint64_t at = offset();
    return {bytes_ + at, std::min(capacity_ - size(), capacity_ - at)};
  }
  [[nodiscard]] std::uint64_t offset() const { return head_ & (capacity_ - 1); }

 private:
  [[nodiscard]] bool is_congested() const {
    return capacity_ - (head_ - seen_tail_) < capacity_ / 8;
  }
  void look() {
    seen_tail_ = positions_.tail.load();
    if (head_ - seen_tail_ > capacity_) {
      throw_damaged(peer_);
    }
  }

  std::byte* bytes_;
  std::uint64_t capacity_;
  RingPositions& positions_;
  const Peer& peer_;
  std::uint64_t head_ = 0;
  std::uint64_t seen_tail_ = 0; // when last looked at
  bool wants_space_ = false;    // the last space() was empty
};

/// The end at which bytes are consumed; the writer's position is looked at only when the ring seems
/// to be empty. Throws Error if the peer damages the positions.
class SharedRingReader {
 public:
  /// The memory, its positions and `peer` must outlive this.
  SharedRingReader(const std::byte* bytes, std::uint64_t capacity, RingPositions& positions,
                   const Peer& peer)
      : bytes_(bytes), capacity_(capacity), positions_(positions), peer_(peer) {}

  /// Bytes that have arrived, as far as they lie in one piece.
  [[nodiscard]] std::span<const std::byte> content() {
    if (seen_head_ == tail_) {
      look();
    }
    const std::uint64_t at = tail_ & (capacity_ - 1);
    return {bytes_ + at, std::min({seen_head_ - tail_, capacity_ - at, capacity_ / 4})};
  }
  void remove(std::size_t n) {
    tail_ += n;
    positions_.tail.store(tail_);
  }
  /// Where in the ring content() begins.
  [[nodiscard]] std::uint64_t offset() const { return tail_ & (capacity_ - 1); }
  /// The next content() needs no look.
  [[nodiscard]] bool has_seen() const { return seen_head_ != tail_; }
  [[nodiscard]] bool has_content() {
    look();
    return seen_head_ != tail_;
  }

 private:
  void look() {
    seen_head_ = positions_.head.load();
    if (seen_head_ - tail_ > capacity_) {
      throw_damaged(peer_);
    }
  }

  const std::byte* bytes_;
  std::uint64_t capacity_;
  RingPositions& positions_;
  const Peer& peer_;
  std::uint64_t tail_ = 0;
  std::uint64_t seen_head_ = 0; // when last looked at
};

} // namespace isthmus::transport
