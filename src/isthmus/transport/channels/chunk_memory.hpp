// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace isthmus::transport {

/// Of chunks that follow each other, two under way, as both sides see them: the next but one is
/// twice as large where one was full.
struct ChunkSizes {
  std::array<std::size_t, 2> of; // bytes, by turn
  std::size_t largest;
  std::size_t turn = 0; // of the next one

  [[nodiscard]] std::size_t next() const { return of[turn]; }
  [[nodiscard]] std::size_t after(std::size_t bytes, std::size_t capacity) const {
    return bytes < capacity ? capacity : std::min(2 * capacity, largest);
  }
};

/// Memory of a chunk that MPI receives into or sends from. In front of its content it says how
/// many bytes that has.
class ChunkMemory {
 public:
  static constexpr std::size_t prefix_bytes = sizeof(std::uint64_t);

  explicit ChunkMemory(std::size_t capacity)
      : capacity_(capacity),
        bytes_(std::make_unique_for_overwrite<std::byte[]>(prefix_bytes + capacity)) {}

  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t bytes() const { return prefix_bytes + capacity_; }
  /// To this capacity at least; what it held is lost then.
  void grow(std::size_t capacity) {
    if (capacity > capacity_) {
      *this = ChunkMemory(capacity);
    }
  }
  /// Where it begins, with its prefix.
  [[nodiscard]] std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::byte* content() const { return data() + prefix_bytes; }
  /// As its prefix says.
  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t size = 0;
    std::memcpy(&size, data(), sizeof size);
    return size;
  }
  void set_size(std::uint64_t size) { std::memcpy(data(), &size, sizeof size); }
  /// MPI uses it, perhaps for ever: it is not freed.
  void leave_to_mpi() { (void)bytes_.release(); }

 private:
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> bytes_;
};

} // namespace isthmus::transport
