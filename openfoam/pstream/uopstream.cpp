// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's UOPstream: what goes out.
#include "pstream.hpp"

#include "Pstream.H"
#include "UOPstream.H"

namespace Foam {

bool UOPstream::write(const commsTypes type, const int to, const char* buffer,
                      const std::streamsize size, const int tag, const label index) {
  auto& state = isthmus::openfoam::pstream();
  const MPI_Comm comm = state.communicators.at(index);
  const auto count = static_cast<int>(size);
  const int& rank = state.communicators.ranks(index)[static_cast<std::size_t>(to)];
  if (auto* watch = isthmus::openfoam::watch()) {
    watch->board().count_message(rank);
  }
  switch (type) {
    case commsTypes::blocking: // the sender goes on at once
      state.postbox.send({buffer, static_cast<std::size_t>(size)}, to, tag, comm);
      return true;
    case commsTypes::scheduled: {
      const isthmus::openfoam::Waiting waiting("a message to be taken", std::span(&rank, 1));
      return MPI_Send(buffer, count, MPI_BYTE, to, tag, comm) == MPI_SUCCESS;
    }
    case commsTypes::nonBlocking:
      return MPI_Isend(buffer, count, MPI_BYTE, to, tag, comm, state.requests.add(rank)) ==
             MPI_SUCCESS;
  }
  return false;
}

} // namespace Foam
