// SPDX-License-Identifier: GPL-3.0-or-later
#include "discoveries.hpp"

#include "watch.hpp"

#include <utility>

namespace isthmus::openfoam {

std::vector<comm::Parcel> Discoveries::exchange(int index, MPI_Comm comm,
                                                std::vector<comm::Parcel> outgoing) {
  const Waiting waiting("an exchange of messages that are not expected", index);
  auto found = comms_.find(index);
  if (found == comms_.end()) {
    found = comms_.emplace(index, comm::Comm(comm)).first;
  }
  return comm::sparse_exchange(found->second, std::move(outgoing));
}

} // namespace isthmus::openfoam
