// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/sparse/count_window.hpp"
#include "isthmus/comm/sparse/remembered.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::comm {

/// How ranks learn what comes to them.
enum class Discovery {
  all_to_all,  // everybody sends everybody a count; then the payload
  put_fence,   // counts are put into the memory of those who are meant; a fence; then the payload
  put_passive, // the same, each put is flushed and a barrier follows
  consensus,   // sparse_exchange: payload at once, everybody knows when all has arrived
  routed,      // routed_exchange: payload at once, in hops together with others'
  remembered,  // partners of earlier rounds, payload at once; strangers by consensus
  automatic    // all_to_all on few ranks, consensus on many
};

[[nodiscard]] std::string_view name_of(Discovery discovery);

/// What Discovery::automatic does when a rank has about so many partners: see docs/kit/discovery.md
/// for the measurement behind it.
[[nodiscard]] Discovery fastest_discovery(int ranks, int partners);

/// Delivers parcels to ranks that do not expect them, round after round, and keeps what can be used
/// again: windows, partners. The results are the same whichever way they come.
class Delivery {
 public:
  /// Collective. The same arguments on all ranks; `partners` is how many ranks one sends to, about.
  explicit Delivery(const Comm& comm, Discovery discovery = Discovery::automatic, int partners = 8);

  /// What automatic became.
  [[nodiscard]] Discovery discovery() const { return discovery_; }

  /// Collective. Returns what arrived, sorted by source, parcels of one source in the order of
  /// sending. What one rank throws (a rank that does not exist) or brings as a failure, all throw.
  [[nodiscard]] std::vector<Parcel> exchange(std::vector<Parcel> outgoing,
                                             Traffic* traffic = nullptr,
                                             std::optional<std::string> failure = {});

 private:
  [[nodiscard]] std::vector<Count> swap_counts(std::span<const Count> counts, Traffic* traffic);
  [[nodiscard]] std::vector<Parcel> exchange_counted(std::vector<Parcel> outgoing,
                                                     const std::optional<std::string>& failure,
                                                     Traffic* traffic);
  [[nodiscard]] std::vector<Parcel> exchange_remembered(const std::vector<Parcel>& outgoing,
                                                        const std::optional<std::string>& failure,
                                                        Traffic* traffic);

  const Comm* comm_;
  Discovery discovery_;
  std::unique_ptr<CountWindow> window_;
  std::optional<Remembered> remembered_;
};

} // namespace isthmus::comm
