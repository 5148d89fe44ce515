// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <functional>
#include <vector>

namespace isthmus::rendezvous {

/// Ranks first…last-1.
struct RankRange {
  int first;
  int last;

  [[nodiscard]] bool contains(int rank) const { return first <= rank && rank < last; }
};

/// The receiver's rank that speaks for a provider's rank before partners are known.
[[nodiscard]] int backbone_partner(int provider_rank, int providers, int receivers);

/// The provider's ranks for which a receiver's rank speaks; may be none.
[[nodiscard]] RankRange backbone_children(int receiver_rank, int providers, int receivers);

/// Called on both ranks of a pair, which know each other's address, to link them.
using Connect = std::function<void(const Partner&)>;

/// Collective over both participants, of which the first ranks are linked. Links every provider's
/// rank with its backbone partner and returns who that is (receiver: its children). The blocks of
/// provider's ranks are halved again and again: the first pair of a block, linked already, passes
/// on the addresses of the first pair of the upper half. log2(providers) rounds; nobody holds a
/// list.
[[nodiscard]] std::vector<Partner> link_backbone(const comm::Comm& comm, Side side, int remote_size,
                                                 const std::vector<std::byte>& address,
                                                 const Across& across, const Connect& connect,
                                                 comm::Traffic* traffic = nullptr);

} // namespace isthmus::rendezvous
