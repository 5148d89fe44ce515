// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <mpi.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <vector>

/// The transports as such, without messages: what bench_channel compares with.
namespace isthmus::bench {

// `ping` sends n bytes and receives n, `push` sends n and receives 8 as a sign that all has come;
// the other side answers the same calls with `first` = false.
struct Transport {
  std::function<void(std::vector<std::byte>&, bool first)> ping;
  std::function<void(std::vector<std::byte>&, bool first)> push;
};

// Raw TCP

inline void send_all(int fd, const std::byte* data, std::size_t n) {
  while (n > 0) {
    const ssize_t sent = ::send(fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      data += sent;
      n -= static_cast<std::size_t>(sent);
    }
  }
}

inline void receive_all(int fd, std::byte* data, std::size_t n) {
  while (n > 0) {
    const ssize_t got = ::recv(fd, data, n, MSG_DONTWAIT);
    if (got > 0) {
      data += got;
      n -= static_cast<std::size_t>(got);
    }
  }
}

[[nodiscard]] inline Transport raw_tcp(int fd) {
  const auto both = [fd](std::vector<std::byte>& bytes, std::size_t back, bool first) {
    static std::byte sign[8];
    if (first) {
      send_all(fd, bytes.data(), bytes.size());
      receive_all(fd, sign, back);
    } else {
      receive_all(fd, bytes.data(), bytes.size());
      send_all(fd, sign, back);
    }
  };
  return {[both](auto& bytes, bool first) { both(bytes, 8, first); },
          [both](auto& bytes, bool first) { both(bytes, 8, first); }};
}

// Raw shared memory

struct RawRing {
  static constexpr std::size_t capacity = std::size_t{1} << 18;
  static constexpr std::size_t piece = capacity / 4;
  alignas(64) std::atomic<std::size_t> head{0};
  alignas(64) std::atomic<std::size_t> tail{0};
  alignas(64) std::byte bytes[capacity];

  void send(const std::byte* data, std::size_t n) {
    for (std::size_t done = 0; done < n;) {
      const std::size_t at = head.load(std::memory_order_relaxed);
      const std::size_t part = std::min({n - done, piece, capacity - at % capacity});
      while (at + part - tail.load(std::memory_order_acquire) > capacity) {
      }
      std::memcpy(bytes + at % capacity, data + done, part);
      head.store(at + part, std::memory_order_release);
      done += part;
    }
  }
  void receive(std::byte* data, std::size_t n) {
    for (std::size_t done = 0; done < n;) {
      const std::size_t at = tail.load(std::memory_order_relaxed);
      std::size_t there = 0;
      while ((there = head.load(std::memory_order_acquire) - at) == 0) {
      }
      const std::size_t part = std::min({there, n - done, capacity - at % capacity});
      std::memcpy(data + done, bytes + at % capacity, part);
      tail.store(at + part, std::memory_order_release);
      done += part;
    }
  }
};

[[nodiscard]] inline Transport raw_shm(RawRing* rings) {
  const auto both = [rings](std::vector<std::byte>& bytes, std::size_t back, bool first) {
    static std::byte sign[8];
    if (first) {
      rings[0].send(bytes.data(), bytes.size());
      rings[1].receive(sign, back);
    } else {
      rings[0].receive(bytes.data(), bytes.size());
      rings[1].send(sign, back);
    }
  };
  return {[both](auto& bytes, bool first) { both(bytes, 8, first); },
          [both](auto& bytes, bool first) { both(bytes, 8, first); }};
}

// Raw MPI

[[nodiscard]] inline Transport raw_mpi(const comm::Comm& comm) {
  const auto both = [&comm](std::vector<std::byte>& bytes, bool first) {
    static std::byte sign[8];
    const int n = static_cast<int>(bytes.size());
    if (first) {
      MPI_Send(bytes.data(), n, MPI_BYTE, 1, 0, comm.raw());
      MPI_Recv(sign, 8, MPI_BYTE, 1, 0, comm.raw(), MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(bytes.data(), n, MPI_BYTE, 0, 0, comm.raw(), MPI_STATUS_IGNORE);
      MPI_Send(sign, 8, MPI_BYTE, 0, 0, comm.raw());
    }
  };
  return {both, both};
}

} // namespace isthmus::bench
