// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/joint_ranks.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/connect/joint.hpp"
#include "isthmus/transport/channels/mpi_channel.hpp"

#include <memory>
#include <utility>

namespace isthmus::partner {

JointRanks::JointRanks(const JointJob& job, std::string partner)
    : partner_(std::move(partner)), comm_(&job.comm) {
  const auto found = job.ranks.find(partner_);
  check(found != job.ranks.end(), "participant \"{}\" has no rank in the joint communicator",
        partner_);
  ranks_ = found->second;
}

JointRanks::JointRanks(std::string partner, int num_ranks, int before)
    : partner_(std::move(partner)), ranks_(RankList::consecutive(before, num_ranks)) {}

void JointRanks::join(std::span<const int> first, std::span<const int> second) {
  own_ = connect::join(first, second, first[0]);
  comm_ = &*own_;
}

transport::LinkId JointRanks::link(transport::Hub& hub, int remote_rank) const {
  const int joint_rank = ranks_.at(remote_rank);
  return hub.add(std::make_unique<transport::MpiChannel>(
      *comm_, joint_rank, transport::Peer{partner_, remote_rank, "of the same MPI job", 0}));
}

} // namespace isthmus::partner
