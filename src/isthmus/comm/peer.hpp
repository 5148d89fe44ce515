// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <string>
#include <string_view>

namespace isthmus::comm {

/// One rank of another participant, as messages to the user name it.
struct Peer {
  std::string participant;
  int rank = 0;
  std::string host;
  int pid = 0;
};

/// participant "A" (rank 3, pid 1 on host h)
[[nodiscard]] inline std::string describe(const Peer& peer) {
  return fmt::format("participant \"{}\" (rank {}, pid {} on host {})", peer.participant, peer.rank,
                     peer.pid, peer.host);
}

/// A partner that has left, crashed or vanished; the text names it and, if it said why, the reason.
class PeerLost : public Error {
 public:
  using Error::Error;
};

} // namespace isthmus::comm

/// As describe() says.
template <>
struct fmt::formatter<isthmus::comm::Peer> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(const isthmus::comm::Peer& peer, Context& context) const {
    return fmt::formatter<std::string_view>::format(isthmus::comm::describe(peer), context);
  }
};
