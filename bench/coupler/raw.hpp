// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

/// The least that a transport can do: bytes from one process to another, without messages, waiting
/// only by looking again and again. What the library does stands beside these.
namespace raw {

/// Loopback TCP on a connected, non-blocking descriptor.
class Tcp {
 public:
  explicit Tcp(int descriptor) : descriptor_(descriptor) {}
  void send(const std::byte* data, std::size_t n) const {
    while (n > 0) {
      const ssize_t sent = ::send(descriptor_, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent > 0) {
        data += sent;
        n -= static_cast<std::size_t>(sent);
      }
    }
  }
  void receive(std::byte* data, std::size_t n) const {
    while (n > 0) {
      const ssize_t got = ::recv(descriptor_, data, n, MSG_DONTWAIT);
      if (got > 0) {
        data += got;
        n -= static_cast<std::size_t>(got);
      }
    }
  }

 private:
  int descriptor_;
};

/// A ring of bytes in memory that both processes see; one writer, one reader.
class Ring {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << 18;

  void send(const std::byte* data, std::size_t n) {
    for (std::size_t done = 0; done < n;) {
      const std::size_t at = head_.load(std::memory_order_relaxed);
      const std::size_t part = std::min({n - done, piece, capacity - at % capacity});
      while (at + part - tail_.load(std::memory_order_acquire) > capacity) {
      }
      std::memcpy(bytes_ + at % capacity, data + done, part);
      head_.store(at + part, std::memory_order_release);
      done += part;
    }
  }
  void receive(std::byte* data, std::size_t n) {
    for (std::size_t done = 0; done < n;) {
      const std::size_t at = tail_.load(std::memory_order_relaxed);
      std::size_t there = 0;
      while ((there = head_.load(std::memory_order_acquire) - at) == 0) {
      }
      const std::size_t part = std::min({there, n - done, capacity - at % capacity});
      std::memcpy(data + done, bytes_ + at % capacity, part);
      tail_.store(at + part, std::memory_order_release);
      done += part;
    }
  }

 private:
  static constexpr std::size_t piece = capacity / 4;
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::byte bytes_[capacity];
};

} // namespace raw
