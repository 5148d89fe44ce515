// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/rendezvous/across.hpp"
#include "isthmus/rendezvous/meetings.hpp"

#include <vector>

namespace isthmus::rendezvous {

/// Collective over both participants, whose proxies are linked. Who of the other participant has a
/// box that meets one of ours, sorted by rank: the rendezvous of two participants. Nobody holds a
/// list of ranks. Each provider's rank hands its boxes to its proxy; the receiver's ranks enter all
/// boxes into a grid of cells dealt over them by a hash; the owner of a cell notifies both sides.
/// Per rank of the receiver 3 log2(ranks) messages and one for each provider's rank it speaks for;
/// one message per rank of the provider. After Plimpton, Hendrickson, Stewart, JPDC 64 (2004) 266,
/// doi 10.1016/j.jpdc.2003.12.006.
///
/// `own` is of this rank: boxes that cover its part, margins included, of which empty ones are
/// ignored, and the address that partners receive. `remote_size`: ranks of the other participant.
[[nodiscard]] std::vector<Partner> rendezvous_partners(const comm::Comm& comm, int remote_size,
                                                       Across& across, RankBoxes own,
                                                       comm::Traffic* traffic = nullptr);

} // namespace isthmus::rendezvous
