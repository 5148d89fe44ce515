// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::comm {

/// Requests of sends under way together with what they read. Where an error keeps us from waiting,
/// both are left to MPI.
class Sends {
 public:
  Sends() = default;
  Sends(const Sends&) = delete;
  Sends& operator=(const Sends&) = delete;
  ~Sends();

  /// Starts sending. Messages of any length; the receiver must know the length.
  void add(const Comm& comm, int to, int tag, std::vector<std::byte> bytes);
  /// Until all are delivered to MPI.
  void wait();

 private:
  const Comm* comm_ = nullptr;
  std::vector<MPI_Request> requests_;
  std::vector<std::vector<std::byte>> buffers_; // read by the requests
};

/// Starts to fill `bytes` with a message of exactly that length; adds to `requests`.
void start_receive(const Comm& comm, int from, int tag, std::span<std::byte> bytes,
                   std::vector<MPI_Request>& requests);

/// Blocking. Fills `bytes` with a message of exactly that length.
void receive(const Comm& comm, int from, int tag, std::span<std::byte> bytes);

/// Starts a message whose length the receiver does not know: one of MPI's up to `slot` bytes, else
/// two.
void start_message(Sends& sends, const Comm& comm, int to, int tag,
                   std::span<const std::byte> bytes, Traffic* traffic = nullptr);

/// Blocking. What start_message or send_message sent.
[[nodiscard]] std::vector<std::byte> receive_message(const Comm& comm, int from,
                                                     int tag = tag_message,
                                                     Traffic* traffic = nullptr);

/// Blocking.
void send_message(const Comm& comm, int to, std::span<const std::byte> bytes);

} // namespace isthmus::comm
