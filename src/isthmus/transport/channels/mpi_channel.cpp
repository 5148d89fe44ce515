// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/mpi_channel.hpp"

namespace isthmus::transport {

namespace {

constexpr int tag = 1; // the communicator is a duplicate of our own

} // namespace

MpiChannel::MpiChannel(const comm::Comm& joint, int peer_rank, Peer peer, std::size_t chunk_bytes)
    : joint_(joint), rank_(peer_rank), peer_(std::move(peer)), chunks_(end_mark, chunk_bytes) {
#ifndef ISTHMUS_SIMULATED
  joint.keep(); // until has_ended(): what arrives later must not meet another one of its number
#endif
  requests_.fill(MPI_REQUEST_NULL);
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
  }
}

std::span<std::byte> MpiChannel::writable() {
  if (pending(leaving_)) {
    return {};
  }
  return {chunks_.content(leaving_) + filled_, chunks_.capacity() - filled_};
}

void MpiChannel::commit(std::size_t n) {
  filled_ += n;
  if (filled_ == chunks_.capacity()) {
    send_from(leaving_);
  }
}

std::span<const std::byte> MpiChannel::readable() {
  if (pending(arriving_)) {
    return {};
  }
  return {chunks_.content(arriving_) + consumed_, size_of(arriving_) - consumed_};
}

void MpiChannel::consume(std::size_t n) {
  consumed_ += n;
  if (readable().empty()) {
    receive_into(arriving_);
    arriving_ = 1 - arriving_;
    consumed_ = 0;
  }
}

void MpiChannel::progress() {
  if (filled_ > 0) {
    send_from(leaving_);
  }
#ifndef ISTHMUS_SIMULATED // there only Hub::sleep() completes requests
  int num_done = 0;       // all at once: MPI looks, and perhaps yields, once for each call
  std::array<int, num_requests> done{};
  verify(MPI_Testsome(num_requests, requests_.data(), &num_done, done.data(), MPI_STATUSES_IGNORE));
#endif
  if (!pending(arriving_) && size_of(arriving_) == 0) { // the mark of its end
    throw_crashed(peer_);
  }
}

void MpiChannel::finish() {
  if (finished_) {
    return;
  }
  finished_ = true;
  if (filled_ > 0) {
    send_from(leaving_);
  }
  chunks_.set_size(end_mark, 0);
  for (const std::size_t index : {4, 5}) {
    MPI_Isend(chunks_.chunk(end_mark), static_cast<int>(ChunkMemory::prefix_bytes), MPI_BYTE, rank_,
              tag, joint_.raw(), &requests_[index]);
  }
}

bool MpiChannel::flushed() const {
  return filled_ == 0 && !pending(2) && !pending(3) && !pending(4) && !pending(5);
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
                   rank_, tag, joint_.raw(), &requests_[index]));
}

void MpiChannel::send_from(std::size_t index) {
  chunks_.set_size(index, filled_);
  verify(MPI_Isend(chunks_.chunk(index), static_cast<int>(ChunkMemory::prefix_bytes + filled_),
                   MPI_BYTE, rank_, tag, joint_.raw(), &requests_[index]));
  leaving_ = 5 - index; // 2 and 3 in turn
  filled_ = 0;
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
  for (int ends = 0; ends < 2; arriving_ = 1 - arriving_) {
    MPI_Wait(&requests_[arriving_], MPI_STATUS_IGNORE);
    if (size_of(arriving_) == 0) {
      ++ends;
    } else {
      receive_into(arriving_);
    }
  }
  MPI_Waitall(4, &requests_[2], MPI_STATUSES_IGNORE);
}

void MpiChannel::verify(int code) const {
  if (code != MPI_SUCCESS) {
    throw PeerLost(fmt::format("{}: MPI error {}", peer_, code));
  }
}

} // namespace isthmus::transport
