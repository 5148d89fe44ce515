// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/wire.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace isthmus::connect {

/// Where one rank of a participant can be reached, and on which host it runs.
struct Address {
  std::string ip;
  std::uint16_t port = 0;
  std::string host;          // its name
  std::string host_id;       // equal: shared memory may work
  std::string process_space; // equal: its process id can be looked up
  int pid = 0;
  std::uint64_t started = 0; // start_time() of the process
  std::string job;           // MPI job, empty if there is none

  bool operator==(const Address&) const = default;
};

void put(Writer& writer, const Address& address);
[[nodiscard]] Address get_address(Reader& reader);

/// The address of this process as far as it does not depend on a socket.
[[nodiscard]] Address own_address();

/// Address of a network interface such as "lo": of IPv4 if it has one, else of IPv6. Throws Error
/// listing the interfaces there are.
[[nodiscard]] std::string interface_address(std::string_view interface);

/// Whether only the host itself can reach this address.
[[nodiscard]] bool is_loopback(const std::string& ip);

} // namespace isthmus::connect
