// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/socket.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace isthmus::transport {

/// Positions of one ring: bytes written and read since the beginning, each on its own cache line.
struct RingPositions {
  alignas(64) std::atomic<std::uint64_t> head{0}; // stored by the writer
  alignas(64) std::atomic<std::uint64_t> tail{0}; // stored by the reader
};

/// Shared memory of two processes: per direction a ring and a spill, which has memory only where
/// that is reserved; and who sleeps. Side 0 writes ring 0 and spill 0, side 1 the others.
class SharedSegment {
 public:
  SharedSegment() = default;
  /// A new segment of an unguessable name that only this user can open, the pages of its rings
  /// reserved. Not mapped (see operator bool) where there is no room for it. Capacities are powers
  /// of two, `ring_capacity` at least a page; `spill_capacity` may be 0. The first one of a process
  /// sweeps.
  [[nodiscard]] static SharedSegment create(std::size_t ring_capacity,
                                            std::size_t spill_capacity = 0);
  /// The segment of this name, which loses it; not mapped if this host cannot reach it.
  [[nodiscard]] static SharedSegment open(const std::string& name, std::size_t ring_capacity);

  /// Removes the segments of this computer whose creators were killed while they had names, and
  /// which are older than `age`: the many that start in the same moment are not looked into.
  static void sweep(std::chrono::seconds age);

  SharedSegment(SharedSegment&& other) noexcept { swap(other); }
  SharedSegment& operator=(SharedSegment&& other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedSegment();

  explicit operator bool() const { return memory_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t ring_capacity() const { return ring_capacity_; }
  [[nodiscard]] std::size_t spill_capacity() const { return spill_capacity_; }
  /// Removes the name; both mappings stay. Also done by the destructor of its creator.
  void unlink();

  [[nodiscard]] RingPositions& positions(int side) const { return control().rings[side]; }
  [[nodiscard]] std::atomic<std::uint32_t>& sleeps(int side) const {
    return control().sleeps[side].flag;
  }
  [[nodiscard]] std::byte* ring(int side) const;
  [[nodiscard]] RingPositions& spill_positions(int side) const { return control().spills[side]; }
  [[nodiscard]] std::byte* spill(int side) const;
  /// Gets memory for `bytes` of a spill from `offset` on. False where there is none.
  [[nodiscard]] bool reserve_spill(int side, std::size_t offset, std::size_t bytes) const;
  /// Gives back the memory of the pieces of a spill that end in the `bytes` from `offset` on.
  void release_spill(int side, std::size_t offset, std::size_t bytes) const;
  /// Bytes of a piece, which has to be free in a spill.
  [[nodiscard]] std::size_t spill_piece() const {
    return std::min<std::size_t>(65536, spill_capacity_ / 8);
  }

 private:
  struct Flag {
    alignas(64) std::atomic<std::uint32_t> flag{0};
  };
  struct Control {
    RingPositions rings[2];
    RingPositions spills[2];
    Flag sleeps[2];
  };
  static constexpr std::size_t control_bytes = 4096;
  static_assert(sizeof(Control) <= control_bytes);
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  [[nodiscard]] Control& control() const { return *static_cast<Control*>(memory_); }
  [[nodiscard]] std::size_t bytes() const {
    return control_bytes + 2 * (ring_capacity_ + spill_capacity_);
  }
  bool map(int descriptor);
  void swap(SharedSegment& other) noexcept;

  std::string name_;
  std::size_t ring_capacity_ = 0;
  std::size_t spill_capacity_ = 0;
  void* memory_ = nullptr;
  Socket named_; // locked by the creator while the segment has its name; shows that it lives
};

} // namespace isthmus::transport
