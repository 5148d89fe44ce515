// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channels/shared_ring.hpp"
#include "isthmus/transport/channels/shared_segment.hpp"
#include "isthmus/transport/peer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::transport {

/// One direction of a segment at the end where bytes are produced: the ring and, where that is full
/// and widen() allows it, the spill. Nothing goes into the ring before the spill is empty.
class SpillingWriter {
 public:
  /// The segment and `peer` must outlive this.
  SpillingWriter(SharedSegment& segment, int side, const Peer& peer)
      : segment_(segment),
        side_(side),
        ring_(segment.ring(side), segment.ring_capacity(), segment.positions(side), peer),
        spill_(segment.spill(side), segment.spill_capacity(), segment.spill_positions(side), peer) {
  }

  /// Space that can be filled now, as far as it lies in one piece.
  [[nodiscard]] std::span<std::byte> space() {
    if (spill_.size() == 0 || spill_.size_now() == 0) {
      release();
      const auto space = ring_.space();
      spills_ = space.empty();
      if (!spills_) {
        wants_space_ = false;
        return space;
      }
    }
    seen_ = spill_.size();
    const auto space = spill_.all_space();
    const std::size_t free = std::min(space.size(), room_);
    wants_space_ = free == 0;
    return space.first(free);
  }
  void append(std::size_t n) {
    if (spills_) {
      spill_.append(n);
      room_ -= n;
    } else {
      ring_.append(n);
    }
  }
  /// Allows `room` bytes more in the spill from now on, as far as there is memory for them.
  void widen(std::size_t room) {
    // The reader gives back the piece that it reads as soon as it has read all of it.
    const std::size_t usable = segment_.spill_capacity() - segment_.spill_piece();
    room_ = std::min<std::size_t>(room, usable - std::min<std::size_t>(usable, spill_.size()));
    const std::size_t before_end =
        std::min<std::size_t>(room_, segment_.spill_capacity() - spill_.offset());
    if (room_ > 0 && (!segment_.reserve_spill(side_, spill_.offset(), before_end) ||
                      !segment_.reserve_spill(side_, 0, room_ - before_end))) {
      room_ = 0;
    }
    reserved_ |= room_ > 0;
  }
  /// Bytes in the spill.
  [[nodiscard]] std::size_t held() { return spill_.size_now(); }
  /// The last space() was empty, and the reader has made some since.
  [[nodiscard]] bool has_new_space() {
    return wants_space_ &&
           (spill_.size_now() < seen_ || (spill_.size() == 0 && ring_.has_new_space()));
  }

 private:
  void release() {
    if (reserved_ && room_ == 0) {
      segment_.release_spill(side_, 0, segment_.spill_capacity());
      reserved_ = false;
    }
  }

  SharedSegment& segment_;
  int side_;
  SharedRingWriter ring_;
  SharedRingWriter spill_;
  std::size_t room_ = 0;     // that widen() allows
  std::uint64_t seen_ = 0;   // in the spill at the last space()
  bool spills_ = false;      // the last space() was one of the spill
  bool wants_space_ = false; // it was empty
  bool reserved_ = false;    // the spill has memory
};

/// The end at which bytes are consumed, in the order in which they were produced.
class SpillingReader {
 public:
  /// The segment and `peer` must outlive this.
  SpillingReader(const SharedSegment& segment, int side, const Peer& peer)
      : segment_(segment),
        side_(side),
        ring_(segment.ring(side), segment.ring_capacity(), segment.positions(side), peer),
        spill_(segment.spill(side), segment.spill_capacity(), segment.spill_positions(side), peer) {
  }

  /// Bytes that have arrived, as far as they lie in one piece.
  [[nodiscard]] std::span<const std::byte> content() {
    // What is in the ring while there is something in the spill was there first: a look at the
    // spill, then one at the ring, misses nothing.
    const bool spilled = !ring_.has_seen() && spill_.has_content();
    const auto content = ring_.content();
    from_spill_ = content.empty() && spilled;
    if (!from_spill_) {
      return content;
    }
    const auto spilled_content = spill_.content();
    return spilled_content.first(std::min(spilled_content.size(), segment_.spill_piece()));
  }
  void remove(std::size_t n) {
    if (from_spill_) {
      segment_.release_spill(side_, spill_.offset(), n);
      spill_.remove(n);
    } else {
      ring_.remove(n);
    }
  }
  [[nodiscard]] bool has_content() { return spill_.has_content() || ring_.has_content(); }

 private:
  const SharedSegment& segment_;
  int side_;
  SharedRingReader ring_;
  SharedRingReader spill_;
  bool from_spill_ = false; // the last content() was of the spill
};

} // namespace isthmus::transport
