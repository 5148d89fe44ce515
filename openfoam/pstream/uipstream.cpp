// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's UIPstream: what comes in.
#include "pstream.hpp"

#include "Pstream.H"
#include "PstreamBuffers.H"
#include "UIPstream.H"

using isthmus::openfoam::pstream;
using isthmus::openfoam::Waiting;

namespace {

/// The rank of the world.
const int& world_rank(int rank, int index) {
  return pstream().communicators.ranks(index)[static_cast<std::size_t>(rank)];
}

void count_receives(int from, int number) {
  if (auto* watch = isthmus::openfoam::watch()) {
    watch->count_receives(from, number);
  }
}

/// Waits for a message, which stays where it is, and says how many bytes it has.
int size_of_next(int from, int tag, int index) {
  const int& rank = world_rank(from, index);
  const Waiting waiting("a message", std::span(&rank, 1));
  count_receives(rank, 1); // it is received later
  MPI_Status status;
  MPI_Probe(from, tag, pstream().communicators.at(index), &status);
  count_receives(rank, -1);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

} // namespace

namespace Foam {

UIPstream::UIPstream(const commsTypes type, const int from, DynamicList<char>& buffer,
                     label& position, const int tag, const label comm, const bool clear_at_end,
                     streamFormat format, versionNumber version)
    : UPstream(type),
      Istream(format, version),
      fromProcNo_(from),
      externalBuf_(buffer),
      externalBufPosition_(position),
      tag_(tag),
      comm_(comm),
      clearAtEnd_(clear_at_end),
      messageSize_(0) {
  setOpened();
  setGood();
  if (type == commsTypes::nonBlocking) { // it is in the buffer already
    messageSize_ = buffer.size();
  } else {
    buffer.setCapacity(size_of_next(from, tag, comm));
    messageSize_ = read(type, from, buffer.begin(), buffer.capacity(), tag, comm);
    buffer.setSize(messageSize_);
  }
  if (messageSize_ == 0) {
    setEof();
  }
}

UIPstream::UIPstream(const int from, PstreamBuffers& buffers)
    : UPstream(buffers.commsType_),
      Istream(buffers.format_, buffers.version_),
      fromProcNo_(from),
      externalBuf_(buffers.recvBuf_[from]),
      externalBufPosition_(buffers.recvBufPos_[from]),
      tag_(buffers.tag_),
      comm_(buffers.comm_),
      clearAtEnd_(true),
      messageSize_(0) {
  if (commsType() != commsTypes::scheduled && !buffers.finishedSendsCalled_) {
    FatalErrorInFunction << "PstreamBuffers::finishedSends() is to be called before what rank "
                         << from << " has sent is read" << Foam::abort(FatalError);
  }
  setOpened();
  setGood();
  if (commsType() == commsTypes::nonBlocking) {
    if (pstream().deliveries.has(&buffers)) {
      if (const auto bytes = pstream().deliveries.take(&buffers, from)) {
        const auto size = static_cast<label>(bytes->size());
        externalBuf_.setSize(size);
        std::copy(bytes->begin(), bytes->end(), externalBuf_.begin());
      }
    }
    messageSize_ = externalBuf_.size();
  } else {
    externalBuf_.setCapacity(size_of_next(from, tag_, comm_));
    messageSize_ =
        read(commsType(), from, externalBuf_.begin(), externalBuf_.capacity(), tag_, comm_);
    externalBuf_.setSize(messageSize_);
  }
  if (messageSize_ == 0) {
    setEof();
  }
}

label UIPstream::read(const commsTypes type, const int from, char* buffer,
                      const std::streamsize size, const int tag, const label index) {
  auto& state = pstream();
  const MPI_Comm comm = state.communicators.at(index);
  const auto room = static_cast<int>(size);
  const int& rank = world_rank(from, index);
  count_receives(rank, 1);
  if (type == commsTypes::nonBlocking) {
    MPI_Irecv(buffer, room, MPI_BYTE, from, tag, comm, state.requests.add(rank));
    return 1; // how many bytes come is not known yet
  }
  const Waiting waiting("a message", std::span(&rank, 1));
  MPI_Status status;
  MPI_Recv(buffer, room, MPI_BYTE, from, tag, comm, &status);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

} // namespace Foam
