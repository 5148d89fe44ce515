// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace isthmus::transport {

/// Memory of chunks that MPI receives into and sends from. In front of its content each tells how
/// many bytes that has.
class ChunkMemory {
 public:
  static constexpr std::size_t prefix_bytes = sizeof(std::uint64_t);

  /// `num` chunks of `capacity` bytes, and behind them one that has room for no content.
  ChunkMemory(std::size_t num, std::size_t capacity)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(num * (prefix_bytes + capacity) +
                                                           prefix_bytes)),
        capacity_(capacity) {}

  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// Where a chunk begins, with its prefix.
  [[nodiscard]] std::byte* chunk(std::size_t index) const {
    return bytes_.get() + index * (prefix_bytes + capacity_);
  }
  [[nodiscard]] std::byte* content(std::size_t index) const { return chunk(index) + prefix_bytes; }
  /// As its prefix says.
  [[nodiscard]] std::uint64_t size(std::size_t index) const {
    std::uint64_t size = 0;
    std::memcpy(&size, chunk(index), sizeof size);
    return size;
  }
  void set_size(std::size_t index, std::uint64_t size) {
    std::memcpy(chunk(index), &size, sizeof size);
  }
  /// MPI uses it, perhaps for ever: it is not freed.
  void leave_to_mpi() { (void)bytes_.release(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_;
};

} // namespace isthmus::transport
