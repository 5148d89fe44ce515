// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace isthmus::rendezvous {

enum class Side : std::uint8_t { provider, receiver }; // of the mesh

/// Messages to ranks of the other participant. An algorithm names only ranks that it says are
/// linked; of two linked ranks the provider's always sends first.
struct Across {
  std::function<void(int remote_rank, std::vector<std::byte> bytes)> send;
  std::function<std::vector<std::byte>(int remote_rank)> receive;
};

/// A rank of the other participant to exchange with.
struct Partner {
  int rank;
  std::vector<std::byte> address; // as that rank gave it

  friend bool operator==(const Partner&, const Partner&) = default;
};

} // namespace isthmus::rendezvous
