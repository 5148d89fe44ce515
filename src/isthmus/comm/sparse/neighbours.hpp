// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isthmus::comm {

/// Rounds of messages between ranks that know each other, each of any length that only the sender
/// knows. A message says its length itself, and both ends remember the longest so far: it takes
/// one message of MPI, two where it is longer than all before. Nothing is agreed upon with others,
/// and nothing is allocated once the lengths have been seen.
class Neighbours {
 public:
  Neighbours() = default;
  /// `ranks` ascending, without the own one; whoever names a rank is named by it.
  Neighbours(const Comm& comm, std::span<const int> ranks);

  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] int rank(std::size_t i) const { return links_[i].rank; }
  /// Position of a rank; size() if it is none of them.
  [[nodiscard]] std::size_t find(int rank) const;
  /// The other end does the same between the same rounds. What is known about those that stay is
  /// kept.
  void insert(int rank);
  void erase(int rank);
  void reset(std::span<const int> ranks);

  /// Adds to the next message for neighbour i.
  void append(std::size_t i, std::span<const std::byte> bytes);
  /// Length of the next message for neighbour i.
  [[nodiscard]] std::size_t waiting(std::size_t i) const;

  /// Collective over the neighbours. One round; `note` reaches every neighbour. While it waits, it
  /// calls `meanwhile`, if there is one.
  void exchange(std::uint32_t note = 0, Traffic* traffic = nullptr,
                const std::function<void()>& meanwhile = {});
  /// What came from neighbour i, and its note; until the next round or change of neighbours.
  [[nodiscard]] std::span<const std::byte> arrived(std::size_t i) const;
  [[nodiscard]] std::uint32_t note(std::size_t i) const;

 private:
  struct Link {
    int rank;
    std::uint8_t round; // of the next message, modulo 256
    std::vector<std::byte> outgoing;
    std::vector<std::byte> incoming;
    std::size_t out_room; // bytes that the first message of MPI may have, header included
    std::size_t in_room;
  };

  void start(Link& link, std::size_t i, std::uint32_t note, Traffic* traffic);
  void receive_rest(Traffic* traffic);

  const Comm* comm_ = nullptr;
  std::vector<Link> links_;
  std::vector<MPI_Request> receives_;
  std::vector<MPI_Request> sends_; // first messages, then the rests of some
};

} // namespace isthmus::comm
