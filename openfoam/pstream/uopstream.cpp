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
  switch (type) {
    case commsTypes::blocking: // the sender goes on at once
      state.postbox.send({buffer, static_cast<std::size_t>(size)}, to, tag, comm);
      return true;
    case commsTypes::scheduled:
      return MPI_Send(buffer, count, MPI_BYTE, to, tag, comm) == MPI_SUCCESS;
    case commsTypes::nonBlocking:
      return MPI_Isend(buffer, count, MPI_BYTE, to, tag, comm, state.requests.add()) == MPI_SUCCESS;
  }
  return false;
}

} // namespace Foam
