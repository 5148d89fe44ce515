// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/partner/rank_list.hpp"
#include "isthmus/transport/hub.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace isthmus::partner {

/// All participants in one MPI job, as the solvers gave it: a communicator and who is where in it.
struct JointJob {
  comm::Comm comm;
  std::map<std::string, RankList> ranks; // in comm, by participant, in its order
};

/// The ranks of a partner where MPI reaches them: their numbers in a communicator of both.
class JointRanks {
 public:
  /// In the communicator of the solvers, which must outlive this. Throws Error if the partner has
  /// no rank in it.
  JointRanks(const JointJob& job, std::string partner);
  /// In one of our own, once they have joined. `before`: how many ranks come before theirs.
  JointRanks(std::string partner, int num_ranks, int before);
  JointRanks(const JointRanks&) = delete;
  JointRanks& operator=(const JointRanks&) = delete;

  /// Collective over both participants. Makes a communicator of them; their ranks in
  /// MPI_COMM_WORLD, those of `first` before the others.
  void join(std::span<const int> first, std::span<const int> second);

  /// Links this rank with one of the partner, which does the same.
  [[nodiscard]] transport::LinkId link(transport::Hub& hub, int remote_rank) const;

 private:
  std::string partner_;
  RankList ranks_;                   // in the communicator
  std::optional<comm::Comm> own_;    // where the solvers gave none
  const comm::Comm* comm_ = nullptr; // messages go through it
};

} // namespace isthmus::partner
