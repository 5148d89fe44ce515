// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/rendezvous/across.hpp"

#include <span>
#include <vector>

/// Partner discovery through the first ranks, as Totounferoush, Simonis, Uekermann, Schulte,
/// Algorithms 14 (2021) 166, doi 10.3390/a14060166 describe it; kept to compare with. The first
/// ranks of both participants are linked.
namespace isthmus::rendezvous {

/// Collective over both participants. Two-level: the provider's boxes (one for each rank that has
/// any) go to its first rank one after the other, to the receiver's first rank and to all of its
/// ranks; each compares all with its own and the complete map of partners takes the way back.
[[nodiscard]] std::vector<Partner> two_level_partners(const comm::Comm& comm, Side side,
                                                      Across& across,
                                                      std::span<const geometry::Box> boxes,
                                                      const std::vector<std::byte>& address,
                                                      comm::Traffic* traffic = nullptr);

/// Collective over both participants. One-level: partners are those with an id in common, once the
/// receiver has filtered the whole mesh; the lists of all ranks' ids are gathered, swapped by the
/// first ranks and broadcast. `ids`: what the rank provides or keeps.
[[nodiscard]] std::vector<Partner> one_level_partners(const comm::Comm& comm, Side side,
                                                      Across& across,
                                                      std::span<const GlobalIndex> ids,
                                                      const std::vector<std::byte>& address,
                                                      comm::Traffic* traffic = nullptr);

} // namespace isthmus::rendezvous
