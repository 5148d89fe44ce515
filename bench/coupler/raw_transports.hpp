// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "raw.hpp"

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

/// The same calls over two one-way streams.
template <typename Stream>
[[nodiscard]] Transport raw_streams(Stream& there, Stream& back) {
  const auto both = [&there, &back](std::vector<std::byte>& bytes, std::size_t sign_bytes,
                                    bool first) {
    static std::byte sign[8];
    if (first) {
      there.send(bytes.data(), bytes.size());
      back.receive(sign, sign_bytes);
    } else {
      there.receive(bytes.data(), bytes.size());
      back.send(sign, sign_bytes);
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
