// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's PstreamBuffers without sizes that are told beforehand. These functions are
// libOpenFOAM's; a program has ours where libPstream.so was loaded before it, by LD_PRELOAD.
#include "pstream.hpp"

#include "PstreamBuffers.H"

#include <dlfcn.h>

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
  state.deliveries.begin(this, comm_, state.communicators.at(comm_));
  forAll(sendBuf_, rank) {
    const DynamicList<char>& bytes = sendBuf_[rank];
    if (!bytes.empty()) {
      state.deliveries.send(this, {bytes.cdata(), static_cast<std::size_t>(bytes.size())}, rank,
                            state.postbox);
    }
  }
}

void PstreamBuffers::finishedSends(labelList& sizes, const bool block) {
  pstream().deliveries.forget(this);
  using Original = void (*)(PstreamBuffers*, labelList&, bool);
  static const auto original = reinterpret_cast<Original>(
      dlsym(RTLD_NEXT, "_ZN4Foam14PstreamBuffers13finishedSendsERNS_4ListIiEEb"));
  if (original == nullptr) {
    FatalErrorInFunction
        << "libOpenFOAM.so has no PstreamBuffers::finishedSends() with sizes: it is "
           "another version than the one that this libPstream.so was built for"
        << Foam::abort(FatalError);
  }
  original(this, sizes, block);
}

} // namespace Foam
