// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/address.hpp"
#include "isthmus/transport/socket.hpp"

namespace isthmus::connect {

/// Whether the process at an address still runs: by its process id if it can be looked up here,
/// else by whether it listens. May be asked for hours: a connection that is already open shows it,
/// so that the other side need not accept a new one for each question.
class Probe {
 public:
  explicit Probe(Address address) : address_(std::move(address)) {}

  /// Takes some seconds at most, where a host does not answer.
  [[nodiscard]] bool is_alive();

 private:
  [[nodiscard]] bool can_connect();

  Address address_;
  transport::Socket socket_; // connected, where the process cannot be looked up
};

[[nodiscard]] inline bool is_alive(const Address& address) {
  return Probe(address).is_alive();
}

} // namespace isthmus::connect
