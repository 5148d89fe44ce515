// SPDX-License-Identifier: GPL-3.0-or-later
// missing WAY: rank 1 does not do what the others wait for, in one way.
#include "IPstream.H"
#include "OPstream.H"
#include "Pstream.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"
#include "scalarList.H"

#include <csignal>
#include <string>

using namespace Foam;

namespace {

/// In buffers, from every rank but the silent one, which all read.
void exchange(bool silent) {
  PstreamBuffers buffers(UPstream::commsTypes::nonBlocking);
  for (label to = 0; to < UPstream::nProcs(); ++to) {
    if (to != UPstream::myProcNo() && !silent) {
      UOPstream stream(to, buffers);
      stream << scalarList(3, 1.0);
    }
  }
  buffers.finishedSends();
  for (label from = 0; from < UPstream::nProcs(); ++from) {
    if (from != UPstream::myProcNo() && !silent) {
      UIPstream stream(from, buffers);
      const scalarList list(stream);
    }
  }
}

void wait_for_rank_1(const std::string& what) {
  if (what == "read") {
    const IPstream stream(UPstream::commsTypes::scheduled, 1);
  } else if (what == "request") {
    scalar value = 0;
    UIPstream::read(UPstream::commsTypes::nonBlocking, 1, reinterpret_cast<char*>(&value),
                    sizeof value);
    UPstream::waitRequests();
  } else if (what == "sizes") {
    PstreamBuffers buffers(UPstream::commsTypes::nonBlocking);
    labelList sizes;
    buffers.finishedSends(sizes);
  } else if (what == "buffers") {
    exchange(false);
  } else {
    scalar sum = 1;
    reduce(sum, sumOp<scalar>());
  }
}

} // namespace

int main(int argc, char** argv) {
  const std::string way = argv[1];
  UPstream::init(argc, argv, false);
  exchange(false);
  const bool is_missing = UPstream::myProcNo() == 1;
  const auto place = way.find('-'); // death, end, or silence; and what it is that others wait in
  const std::string how = way.substr(0, place);
  if (how == "silence") {
    exchange(is_missing);
    exchange(false);
  } else if (is_missing) {
    if (how == "death") {
      raise(SIGKILL);
    }
  } else {
    wait_for_rank_1(way.substr(place + 1));
  }
  UPstream::exit(0);
}
