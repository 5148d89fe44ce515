// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/transport/channel.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace isthmus::transport {

/// First in, first out buffer of bytes within one thread. Pages that are never reached cost
/// nothing.
class ByteRing {
 public:
  /// `capacity` in bytes, a power of two of at least stream_unit.
  explicit ByteRing(std::size_t capacity)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(capacity)), capacity_(capacity) {}

  [[nodiscard]] std::size_t size() const { return head_ - tail_; }
  [[nodiscard]] std::size_t free() const { return capacity_ - size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// Free space and content, each as far as it lies in one piece.
  [[nodiscard]] std::span<std::byte> space() {
    return {bytes_.get() + at(head_), std::min(free(), capacity_ - at(head_))};
  }
  [[nodiscard]] std::span<const std::byte> content() const {
    return {bytes_.get() + at(tail_), std::min(size(), capacity_ - at(tail_))};
  }
  /// Moves the content into memory of another capacity, which it fits into.
  void resize(std::size_t capacity) {
    ByteRing other(capacity);
    other.tail_ = other.head_ = tail_ % stream_unit;
    while (size() > 0) {
      const auto from = content();
      const auto to = other.space();
      const std::size_t n = std::min(from.size(), to.size());
      std::copy_n(from.begin(), n, to.begin());
      other.append(n);
      tail_ += n;
    }
    *this = std::move(other);
  }
  void append(std::size_t n) { head_ += n; }
  void remove(std::size_t n) {
    tail_ += n;
    if (tail_ == head_) { // start over where the cache is warm, at the same place within a unit
      tail_ %= stream_unit;
      head_ = tail_;
    }
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t position) const { return position & (capacity_ - 1); }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_;
  std::size_t head_ = 0; // appended so far
  std::size_t tail_ = 0; // removed so far
};

} // namespace isthmus::transport
