// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's UPstream over MPI: start and end, communicators, requests, tags, collectives.
#include "pstream.hpp"

#include "Pstream.H"
#include "UPstream.H"
#include "foamVersion.H"
#include "int.H"

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace isthmus::openfoam {

Pstream& pstream() {
  static Pstream state;
  return state;
}

} // namespace isthmus::openfoam

using isthmus::comm::Parcel;
using isthmus::openfoam::Board;
using isthmus::openfoam::HostRows;
using isthmus::openfoam::pstream;
using isthmus::openfoam::Waiting;
using isthmus::openfoam::watch;

namespace {

/// Whether MPI can be used now; ends the program if it has been finalized already.
bool is_initialized() {
  int flag = 0;
  MPI_Finalized(&flag);
  if (flag != 0) {
    FatalErrorInFunction << "MPI has been finalized already; OpenFOAM cannot start after that"
                         << Foam::abort(Foam::FatalError);
  }
  MPI_Initialized(&flag);
  return flag != 0;
}

void notify_others(Board::State state) {
  if (watch() != nullptr) {
    watch()->board().set(state);
  }
}

/// Collective over the world. Where all ranks are on one host, their sums need no messages.
void share_rows(int ranks) {
  if (static_cast<int>(watch()->board().others().size()) == ranks - 1) {
    auto rows = std::make_unique<HostRows>();
    if (rows->are_usable()) {
      pstream().host_rows = std::move(rows);
    }
  }
}

} // namespace

namespace Foam {

/// Options that a program takes behind its name, where launchers of MPICH 1 wrote their own.
void UPstream::addValidParOptions(HashTable<string>& options) {
  using Option = std::pair<const char*, const char*>; // and what stands behind it
  for (const auto& [name, value] :
       {Option("np", ""), Option("machinefile", "machine file"), Option("p4pg", "PI file"),
        Option("p4wd", "directory"), Option("p4amslave", ""), Option("p4yourname", "hostname")}) {
    options.insert(name, value);
  }
}

bool UPstream::initNull() {
  if (!is_initialized()) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &provided);
  }
  return true;
}

bool UPstream::init(int& argc, char**& argv, const bool needs_threads) {
  int provided = MPI_THREAD_SINGLE;
  if (is_initialized()) {
    MPI_Query_thread(&provided);
  } else {
    MPI_Init_thread(&argc, &argv, needs_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                    &provided);
  }
  if (foamVersion::api != OPENFOAM) {
    FatalErrorInFunction << "this libPstream.so was built for OpenFOAM " << OPENFOAM
                         << ", but the program is of " << foamVersion::api
                         << "; build it again with its headers (openfoam/setup.sh), or take "
                         << "libPstream.so out of LD_LIBRARY_PATH and LD_PRELOAD"
                         << Foam::abort(FatalError);
  }
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks <= 1) {
    FatalErrorInFunction << "-parallel asks for several ranks, but there is one; start it as "
                         << "mpirun -n 2 " << (argc > 0 ? argv[0] : "PROGRAM") << " -parallel"
                         << Foam::abort(FatalError);
  }
  watch() = new isthmus::openfoam::Watch; // of its thread, which ends with the process
  share_rows(ranks);
  setParRun(ranks, provided == MPI_THREAD_MULTIPLE);
  return true;
}

void UPstream::exit(int status) {
  int started = 0;
  MPI_Initialized(&started);
  if (started == 0) {
    std::exit(status);
  }
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended == 0) {
    if (const auto open = pstream().requests.num_open(); open > 0 && status == 0) {
      std::cerr << "UPstream::exit: " << open << " requests are not waited for\n";
    }
    notify_others(status == 0 ? Board::State::ended : Board::State::gave_up);
    if (status != 0) {
      MPI_Abort(MPI_COMM_WORLD, status);
    }
    pstream().postbox.flush();
    freeCommunicators(true);
    MPI_Finalize();
  }
  std::exit(status);
}

void UPstream::abort() {
  notify_others(Board::State::gave_up);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void UPstream::allocatePstreamCommunicator(const label parent, const label index) {
  if (parent == -1) {
    if (index != worldComm) {
      FatalErrorInFunction << "communicator " << index << " without a parent is not the world, "
                           << worldComm << Foam::exit(FatalError);
    }
    pstream().communicators.set_world(index);
    MPI_Comm_rank(MPI_COMM_WORLD, &myProcNo_[index]);
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    procIDs_[index].setSize(ranks);
    forAll(procIDs_[index], i) {
      procIDs_[index][i] = i;
    }
    return;
  }
  const List<int>& ranks = procIDs_[index];
  myProcNo_[index] = pstream().communicators.make(
      parent, index, {ranks.cdata(), static_cast<std::size_t>(ranks.size())});
}

void UPstream::freePstreamCommunicator(const label index) {
  if (index != worldComm) {
    pstream().deliveries.free(index);
    pstream().discoveries.free(index);
    pstream().communicators.free(index);
  }
}

label UPstream::nRequests() {
  return pstream().requests.count();
}

void UPstream::resetRequests(const label count) {
  pstream().requests.truncate(count);
}

void UPstream::waitRequests(const label first) {
  pstream().requests.wait_from(first);
}

void UPstream::waitRequest(const label i) {
  pstream().requests.wait(i);
}

bool UPstream::finishedRequest(const label i) {
  return pstream().requests.is_done(i);
}

int UPstream::allocateTag(const char*) {
  auto& state = pstream();
  if (!state.free_tags.empty()) {
    const int tag = state.free_tags.back();
    state.free_tags.pop_back();
    return tag;
  }
  return state.next_tag++;
}

int UPstream::allocateTag(const word& name) {
  return allocateTag(name.c_str());
}

void UPstream::freeTag(const char*, const int tag) {
  pstream().free_tags.push_back(tag);
}

void UPstream::freeTag(const word& name, const int tag) {
  freeTag(name.c_str(), tag);
}

void UPstream::allToAll(const labelUList& send, labelUList& receive, const label comm) {
  if (!parRun()) {
    std::copy(send.begin(), send.end(), receive.begin());
    return;
  }
  auto& state = pstream(); // most of the numbers are zero in large jobs
  std::vector<Parcel> outgoing;
  forAll(send, rank) {
    if (send[rank] != 0) {
      const auto bytes = std::as_bytes(std::span(&send[rank], 1));
      outgoing.push_back({rank, {bytes.begin(), bytes.end()}});
    }
  }
  receive = 0;
  for (const Parcel& parcel :
       state.discoveries.exchange(comm, state.communicators.at(comm), std::move(outgoing))) {
    std::memcpy(&receive[parcel.rank], parcel.bytes.data(), sizeof(label));
  }
}

void UPstream::allToAll(const char* send, const UList<int>& send_sizes,
                        const UList<int>& send_offsets, char* receive,
                        const UList<int>& receive_sizes, const UList<int>& receive_offsets,
                        const label comm) {
  if (!parRun()) {
    std::memmove(receive, send, static_cast<std::size_t>(receive_sizes[0]));
    return;
  }
  const Waiting waiting("an exchange of all with all", comm);
  MPI_Alltoallv(send, send_sizes.cdata(), send_offsets.cdata(), MPI_BYTE, receive,
                receive_sizes.cdata(), receive_offsets.cdata(), MPI_BYTE,
                pstream().communicators.at(comm));
}

void UPstream::gather(const char* send, int send_size, char* receive,
                      const UList<int>& receive_sizes, const UList<int>& receive_offsets,
                      const label comm) {
  if (!parRun()) {
    std::memmove(receive, send, static_cast<std::size_t>(send_size));
    return;
  }
  const Waiting waiting("a gathering", comm);
  MPI_Gatherv(send, send_size, MPI_BYTE, receive, receive_sizes.cdata(), receive_offsets.cdata(),
              MPI_BYTE, 0, pstream().communicators.at(comm));
}

void UPstream::scatter(const char* send, const UList<int>& send_sizes,
                       const UList<int>& send_offsets, char* receive, int receive_size,
                       const label comm) {
  if (!parRun()) {
    std::memmove(receive, send, static_cast<std::size_t>(receive_size));
    return;
  }
  const Waiting waiting("a scattering", comm);
  MPI_Scatterv(send, send_sizes.cdata(), send_offsets.cdata(), MPI_BYTE, receive, receive_size,
               MPI_BYTE, 0, pstream().communicators.at(comm));
}

} // namespace Foam
