// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <vector>

namespace isthmus::rendezvous {

/// Ranks first…last-1.
struct RankRange {
  int first;
  int last;

  [[nodiscard]] bool contains(int rank) const { return first <= rank && rank < last; }
};

/// The proxy of a provider's rank: the receiver's rank that speaks for it before partners are
/// known.
[[nodiscard]] int proxy_rank(int provider_rank, int providers, int receivers);

/// The provider's ranks for which a receiver's rank speaks; may be none.
[[nodiscard]] RankRange proxy_clients(int receiver_rank, int providers, int receivers);

/// Collective over both participants, of which the first ranks are linked. Links every provider's
/// rank with its proxy and returns who that is (receiver: its clients). The blocks of provider's
/// ranks are halved again and again: the first pair of a block, linked already, passes on the
/// addresses of the first pair of the upper half. log2(providers) rounds; nobody holds a list.
[[nodiscard]] std::vector<Partner> link_proxies(const comm::Comm& comm, Side side, int remote_size,
                                                const std::vector<std::byte>& address,
                                                Across& across, comm::Traffic* traffic = nullptr);

} // namespace isthmus::rendezvous
