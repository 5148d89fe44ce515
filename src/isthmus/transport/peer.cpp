// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/peer.hpp"

#include <fmt/format.h>

namespace isthmus::transport {

std::string describe(const Peer& peer) {
  return fmt::format("{}", peer);
}

void throw_crashed(const Peer& peer) {
  throw PeerLost(fmt::format("{} ended without a word (killed or crashed)", peer));
}

void throw_unreachable(const Peer& peer) {
  throw PeerLost(fmt::format("{} does not answer: its host or the network is down", peer));
}

void throw_damaged(const Peer& peer) {
  fail("{} damaged the shared memory", peer);
}

} // namespace isthmus::transport

auto fmt::formatter<isthmus::transport::Peer>::format(const isthmus::transport::Peer& peer,
                                                      format_context& context) const
    -> format_context::iterator {
  return fmt::format_to(context.out(), "participant \"{}\" (rank {}, pid {} on host {})",
                        peer.participant, peer.rank, peer.pid, peer.host);
}
