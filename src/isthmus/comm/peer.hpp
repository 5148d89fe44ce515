// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <string>

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
