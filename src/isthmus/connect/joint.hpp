// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/connect/address.hpp"

#include <span>
#include <vector>

/// Two participants in one MPI job: a communicator that holds the ranks of both, for MpiChannel.
namespace isthmus::connect {

/// Whether processes at these addresses were started by one mpirun and so share MPI_COMM_WORLD.
[[nodiscard]] bool in_one_job(const Address& one, const Address& other);

/// The ranks in MPI_COMM_WORLD of the ranks of a participant, in order.
[[nodiscard]] std::vector<int> world_ranks(const comm::Comm& participant);

/// Collective over the ranks of both lists, nobody else. The ranks of `first` come first. `tag`
/// keeps apart what different pairs of participants do at the same time.
[[nodiscard]] comm::Comm join(std::span<const int> first, std::span<const int> second, int tag);

} // namespace isthmus::connect
