// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/mpi_channel.hpp"

#include <algorithm>

namespace isthmus::transport {

namespace {

constexpr int tag = 1; // the communicator is a duplicate of our own

void verify(int code, const Peer& peer) {
  if (code != MPI_SUCCESS) {
    throw PeerLost(fmt::format("{}: MPI error {}", peer, code));
  }
}

} // namespace

MpiChannel::MpiChannel(const comm::Comm& joint, int peer_rank, Peer peer, std::size_t chunk_bytes)
    : joint_(joint),
      rank_(peer_rank),
      peer_(std::move(peer)),
      chunks_(end_mark, chunk_bytes),
      requests_(first_more, MPI_REQUEST_NULL) {
#ifndef ISTHMUS_SIMULATED
  joint.keep(); // until has_ended(): what arrives later must not meet another one of its number
#endif
  receive_into(0);
  receive_into(1);
}

MpiChannel::~MpiChannel() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) {
    return;
  }
  finish();
#ifdef ISTHMUS_SIMULATED // SMPI can neither cancel a message that is on its way nor leave it behind
  drain();
#else
  if (has_ended()) {
    joint_.let_go();
  }
#endif
  for (const std::size_t index : {0, 1}) {
    if (pending(index)) {
      MPI_Cancel(&requests_[index]);
      MPI_Wait(&requests_[index], MPI_STATUS_IGNORE);
    }
  }
  bool in_use = false; // by MPI, perhaps for ever
  for (MPI_Request& request : requests_) {
    if (request != MPI_REQUEST_NULL) {
      MPI_Request_free(&request);
      in_use = true;
    }
  }
  if (in_use) {
    chunks_.leave_to_mpi();
    for (ChunkMemory& one : more_) {
      one.leave_to_mpi();
    }
  }
}

std::span<std::byte> MpiChannel::writable() {
  if (leaving_.bytes == 0 && pending(leaving_.chunk)) {
    choose_leaving();
  }
  if (pending(leaving_.chunk)) {
    return {};
  }
  const Chunk chunk = chunk_of(leaving_.chunk);
  return {chunk.memory.content(chunk.index) + leaving_.bytes,
          chunk.memory.capacity() - leaving_.bytes};
}

// Where both usual ones are under way a chunk of its own, of the size that is needed.
void MpiChannel::choose_leaving() {
  for (const std::size_t usual : {2, 3}) {
    if (!pending(usual)) {
      leaving_.chunk = usual;
      return;
    }
  }
  if (room_ >= stream_unit) {
    const std::size_t capacity = std::min(room_, chunks_.capacity()) / stream_unit * stream_unit;
    more_.emplace_back(1, capacity);
    requests_.push_back(MPI_REQUEST_NULL);
    leaving_.chunk = requests_.size() - 1;
    room_ -= capacity;
  }
}

MpiChannel::Chunk MpiChannel::chunk_of(std::size_t index) {
  return index < first_more ? Chunk{chunks_, index} : Chunk{more_[index - first_more], 0};
}

std::size_t MpiChannel::held() {
  std::size_t bytes = 0;
  for (const ChunkMemory& one : more_) {
    bytes += one.capacity();
  }
  return bytes;
}

void MpiChannel::commit(std::size_t n) {
  leaving_.bytes += n;
  if (leaving_.bytes == chunk_of(leaving_.chunk).memory.capacity()) {
    send_from(leaving_.chunk);
  }
}

std::span<const std::byte> MpiChannel::readable() {
  if (pending(arriving_.chunk)) {
    return {};
  }
  return {chunks_.content(arriving_.chunk) + arriving_.bytes,
          size_of(arriving_.chunk) - arriving_.bytes};
}

void MpiChannel::consume(std::size_t n) {
  arriving_.bytes += n;
  if (readable().empty()) {
    receive_into(arriving_.chunk);
    arriving_.chunk = 1 - arriving_.chunk;
    arriving_.bytes = 0;
  }
}

void MpiChannel::progress() {
  if (leaving_.bytes > 0) {
    send_from(leaving_.chunk);
  }
  complete_requests();
  if (!pending(arriving_.chunk) && size_of(arriving_.chunk) == 0) { // the mark of its end
    throw_crashed(peer_);
  }
}

void MpiChannel::complete_requests() {
#ifndef ISTHMUS_SIMULATED // there only Waiter::rest() completes requests
  done_.resize(requests_.size());
  int num_done = 0; // all at once: MPI looks, and perhaps yields, once for each call
  verify(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &num_done, done_.data(),
                      MPI_STATUSES_IGNORE),
         peer_);
#endif
  for (std::size_t i = more_.size(); i > 0; --i) {
    const std::size_t index = first_more + i - 1;
    if (!pending(index) && !(index == leaving_.chunk && leaving_.bytes > 0)) {
      more_.erase(more_.begin() + static_cast<std::ptrdiff_t>(i - 1));
      requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(index));
      if (leaving_.chunk == index) {
        leaving_.chunk = 2;
      } else if (leaving_.chunk > index) {
        --leaving_.chunk;
      }
    }
  }
}

void MpiChannel::finish() {
  if (finished_) {
    return;
  }
  finished_ = true;
  if (leaving_.bytes > 0) {
    send_from(leaving_.chunk);
  }
  chunks_.set_size(end_mark, 0);
  for (const std::size_t index : {4, 5}) {
    MPI_Isend(chunks_.chunk(end_mark), static_cast<int>(ChunkMemory::prefix_bytes), MPI_BYTE, rank_,
              tag, joint_.raw(), &requests_[index]);
  }
}

bool MpiChannel::flushed() const {
  return leaving_.bytes == 0 &&
         std::all_of(requests_.begin() + 2, requests_.end(),
                     [](const MPI_Request& request) { return request == MPI_REQUEST_NULL; });
}

short MpiChannel::arm() {
  return 1;
}

bool MpiChannel::pending(std::size_t index) const {
  return requests_[index] != MPI_REQUEST_NULL;
}

void MpiChannel::receive_into(std::size_t index) {
  verify(MPI_Irecv(chunks_.chunk(index),
                   static_cast<int>(ChunkMemory::prefix_bytes + chunks_.capacity()), MPI_BYTE,
                   rank_, tag, joint_.raw(), &requests_[index]),
         peer_);
}

void MpiChannel::send_from(std::size_t index) {
  const Chunk chunk = chunk_of(index);
  chunk.memory.set_size(chunk.index, leaving_.bytes);
  verify(MPI_Isend(chunk.memory.chunk(chunk.index),
                   static_cast<int>(ChunkMemory::prefix_bytes + leaving_.bytes), MPI_BYTE, rank_,
                   tag, joint_.raw(), &requests_[index]),
         peer_);
  leaving_.chunk = index == 2 ? 3 : 2; // in turn
  leaving_.bytes = 0;
}

std::uint64_t MpiChannel::size_of(std::size_t index) const {
  const std::uint64_t size = chunks_.size(index);
  check(size <= chunks_.capacity(), "{} sent a chunk of {} bytes instead of at most {}", peer_,
        size, chunks_.capacity());
  return size;
}

// Nothing is on its way any more: both have sent their marks of the end, and all that went before.
[[maybe_unused]] bool MpiChannel::has_ended() {
  for (MPI_Request& request : requests_) {
    int done = 0;
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done == 0) {
      return false;
    }
  }
  return chunks_.size(0) == 0 && chunks_.size(1) == 0;
}

// Takes all there is up to the end.
[[maybe_unused]] void MpiChannel::drain() {
  for (int ends = 0; ends < 2; arriving_.chunk = 1 - arriving_.chunk) {
    MPI_Wait(&requests_[arriving_.chunk], MPI_STATUS_IGNORE);
    if (size_of(arriving_.chunk) == 0) {
      ++ends;
    } else {
      receive_into(arriving_.chunk);
    }
  }
  MPI_Waitall(static_cast<int>(requests_.size()) - 2, &requests_[2], MPI_STATUSES_IGNORE);
}

} // namespace isthmus::transport
