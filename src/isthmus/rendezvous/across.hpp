// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isthmus::rendezvous {

enum class Side : std::uint8_t { provider, receiver }; // of the mesh

/// A rank of the other participant to exchange with.
struct Partner {
  int rank;
  std::vector<std::byte> address; // as that rank gave it

  friend bool operator==(const Partner&, const Partner&) = default;
};

/// The way to ranks of the other participant, whatever carries the bytes. An algorithm names only
/// ranks that it says are linked; of two linked ranks the provider's always sends first.
class Across {
 public:
  Across() = default;
  Across(const Across&) = delete;
  Across& operator=(const Across&) = delete;
  virtual ~Across() = default;

  virtual void send(int remote_rank, std::vector<std::byte> bytes) = 0;
  [[nodiscard]] virtual std::vector<std::byte> receive(int remote_rank) = 0;
  /// Called on both ranks of a pair, which know each other's address.
  virtual void link(const Partner& partner) = 0;
};

} // namespace isthmus::rendezvous
