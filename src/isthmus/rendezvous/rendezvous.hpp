// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/rendezvous/across.hpp"
#include "isthmus/rendezvous/grid.hpp"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::rendezvous {

/// Who of the other participant has a box that meets one of ours: the rendezvous of two
/// participants. Nobody holds a list of ranks. Each provider's rank hands its boxes to its proxy;
/// the receiver's ranks enter all boxes into a grid of cells dealt over them by a hash; the owner
/// of a cell tells both sides. Per rank of the receiver 3 log2(ranks) messages and one
/// for each provider's rank it speaks for; one message per rank of the provider. After Plimpton,
/// Hendrickson, Stewart, JPDC 64 (2004) 266, doi 10.1016/j.jpdc.2003.12.006.
class Rendezvous {
 public:
  /// Collective over both participants, whose proxies are linked. `boxes` cover this rank's part,
  /// margins included; empty ones are ignored. `address` is what partners are told; `across` must
  /// outlive the rendezvous.
  Rendezvous(const comm::Comm& comm, Side side, int remote_size, Across& across,
             std::span<const geometry::Box> boxes, std::vector<std::byte> address);

  /// Collective over both participants. The new boxes of this rank; only differences travel.
  /// `anything_changed`: whether any rank of either participant has other boxes than before, the
  /// same everywhere; if not, nothing is sent.
  void update(bool anything_changed, std::span<const geometry::Box> boxes);

  /// Sorted by rank.
  [[nodiscard]] std::vector<Partner> partners() const;
  /// Of the construction or the latest update.
  [[nodiscard]] const comm::Traffic& traffic() const { return traffic_; }
  /// Bytes kept by this rank.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Known {
    int pairs = 0;
    std::vector<std::byte> address;
  };

  [[nodiscard]] bool provides() const { return side_ == Side::provider; }
  [[nodiscard]] int home(Side side, int rank) const;
  void build();
  bool provide(const Delta& own); // false if everything must be built again
  void receive_all(const Delta& own);
  bool receive_changes(const Delta& own);
  [[nodiscard]] std::vector<Delta> collect(const Delta& own);
  void agree_on_grid(std::span<const Delta> deltas);
  [[nodiscard]] std::vector<comm::Parcel> to_owners(std::span<const Delta> deltas) const;
  [[nodiscard]] std::vector<comm::Parcel> to_homes(std::span<const Note> notes) const;
  void deliver(std::span<const Note> notes, bool again);
  void learn(const Note& note);
  void forget_strangers();
  void send_across(int rank, std::vector<std::byte> bytes);
  [[nodiscard]] std::vector<std::byte> receive_across(int rank);

  const comm::Comm* comm_;
  Side side_;
  int remote_size_;
  Across& across_;
  std::vector<std::byte> address_;
  std::vector<geometry::Box> boxes_; // sorted, each once
  std::map<int, Known> partners_;
  Grid grid_;                      // receiver
  std::optional<Matches> matches_; // receiver
  comm::Traffic traffic_;
};

} // namespace isthmus::rendezvous
