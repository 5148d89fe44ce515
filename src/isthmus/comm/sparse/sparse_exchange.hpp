// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::comm {

/// Bytes to or from a rank.
struct Parcel {
  int rank;
  std::vector<std::byte> bytes;
};

/// What a rank sends because a parcel arrived.
using Reaction = std::function<std::vector<Parcel>(Parcel)>;

/// Collective. Delivers parcels to ranks that do not expect them and returns what arrived, sorted
/// by source, parcels of one source in the order of sending. Per rank: k parcels, one
/// acknowledgement for each parcel received, ceil(log2 size) barrier messages; memory of the own
/// parcels only. Non-blocking consensus after Hoefler, Siebert, Lumsdaine, PPoPP 2010, doi
/// 10.1145/1837853.1693476, with explicit acknowledgements and a barrier of plain messages. What
/// one rank throws (a rank that does not exist) or brings as a failure, all throw.
[[nodiscard]] std::vector<Parcel> sparse_exchange(const Comm& comm, std::vector<Parcel> outgoing,
                                                  Traffic* traffic = nullptr,
                                                  const std::optional<std::string>& failure = {});

/// Collective. As sparse_exchange, but an arriving parcel may cause new ones, any number of times,
/// behind one barrier: a parcel is acknowledged when those that it caused are (Dijkstra, Scholten,
/// doi 10.1016/0020-0190(80)90021-6). Returns whether any rank said `raise`. What `react` throws on
/// one rank, all throw at the end.
bool diffuse(const Comm& comm, std::vector<Parcel> first, const Reaction& react, bool raise = false,
             Traffic* traffic = nullptr);

/// Collective. As sparse_exchange, for when many ranks may send to one: every rank sends exactly
/// ceil(log2 size) messages whatever the pattern, because parcels travel in hops of 1, 2, 4, …
/// ranks together with others of the same direction (the sparse form of Bruck's all-to-all, doi
/// 10.1109/71.642949). Costs about log2(size)/2 times the bytes. What one rank brings as a failure,
/// all throw.
[[nodiscard]] std::vector<Parcel> routed_exchange(const Comm& comm, std::vector<Parcel> outgoing,
                                                  Traffic* traffic = nullptr,
                                                  std::optional<std::string> failure = {});

} // namespace isthmus::comm
