// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's PstreamBuffers without sizes that are sent beforehand. These functions are
// libOpenFOAM's; a program has ours where libPstream.so was loaded before it, by LD_PRELOAD.
#include "pstream.hpp"

#include "PstreamBuffers.H"

#include <cstring>

using isthmus::comm::Parcel;
using isthmus::openfoam::pstream;

namespace Foam {

void PstreamBuffers::finishedSends(const bool) {
  finishedSendsCalled_ = true;
  if (commsType_ != UPstream::commsTypes::nonBlocking) {
    return;
  }
  if (!UPstream::parRun()) {
    recvBuf_[0] = sendBuf_[0];
    return;
  }
  auto& state = pstream();
  state.deliveries.begin(this, comm_, state.communicators);
  forAll(sendBuf_, rank) {
    const DynamicList<char>& bytes = sendBuf_[rank];
    if (!bytes.empty()) {
      state.deliveries.send(this, {bytes.cdata(), static_cast<std::size_t>(bytes.size())}, rank,
                            state.postbox);
    }
  }
  state.deliveries.end_sends(this);
}

void PstreamBuffers::finishedSends(labelList& sizes, const bool) {
  finishedSendsCalled_ = true;
  if (commsType_ != UPstream::commsTypes::nonBlocking) {
    FatalErrorInFunction << "only non-blocking buffers know the sizes of what comes"
                         << Foam::abort(FatalError);
  }
  sizes.setSize(UPstream::nProcs(comm_));
  sizes = 0;
  if (!UPstream::parRun()) {
    recvBuf_[0] = sendBuf_[0];
    sizes[0] = recvBuf_[0].size();
    return;
  }
  auto& state = pstream();
  state.deliveries.forget(this);
  std::vector<Parcel> outgoing;
  forAll(sendBuf_, rank) {
    recvBuf_[rank].clear();
    if (const auto bytes = std::as_bytes(std::span(sendBuf_[rank].cdata(), sendBuf_[rank].size()));
        !bytes.empty()) {
      outgoing.push_back({rank, {bytes.begin(), bytes.end()}});
    }
  }
  for (const Parcel& parcel :
       state.discoveries.exchange(comm_, state.communicators.at(comm_), std::move(outgoing))) {
    DynamicList<char>& buffer = recvBuf_[parcel.rank];
    buffer.setSize(static_cast<label>(parcel.bytes.size()));
    std::memcpy(buffer.begin(), parcel.bytes.data(), parcel.bytes.size());
    sizes[parcel.rank] = buffer.size();
  }
}

} // namespace Foam
