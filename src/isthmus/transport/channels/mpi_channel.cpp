// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/mpi_channel.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::transport {

namespace {

constexpr std::size_t first_bytes = 1024; // of a chunk

/// The communicator is a duplicate of our own, where messages keep their order; but simulated small
/// ones overtake large ones that nobody awaits yet.
int tag_of([[maybe_unused]] int number) {
#ifdef ISTHMUS_SIMULATED
  constexpr int most_tags = 30000;
  return 1 + number % most_tags;
#else
  return 1;
#endif
}

void verify(int code, const Peer& peer) {
  if (code != MPI_SUCCESS) {
    throw PeerLost(fmt::format("{}: MPI error {}", peer, code));
  }
}

/// `done`: room for which of them are.
void test_all(std::vector<MPI_Request>& requests, std::vector<int>& done, const Peer& peer) {
  done.resize(requests.size());
  int num_done = 0; // all at once: MPI looks, and perhaps yields, once for each call
  verify(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &num_done, done.data(),
                      MPI_STATUSES_IGNORE),
         peer);
}

} // namespace

MpiChannel::MpiChannel(const comm::Comm& joint, int peer_rank, Peer peer, std::size_t chunk_bytes)
    : joint_(joint),
      rank_(peer_rank),
      peer_(std::move(peer)),
      capacities_{{std::min(first_bytes, chunk_bytes), std::min(first_bytes, chunk_bytes)},
                  chunk_bytes},
      requests_(first_more, MPI_REQUEST_NULL) {
  for (std::size_t index = 0; index < first_more; ++index) { // those that leave get memory later
    chunks_.emplace_back(index < 2 ? capacities_.next() : 0);
  }
  joint.keep(); // until end() says so: what arrives later must not meet another one of its number
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
  if (end()) {
    joint_.let_go();
  }
#ifdef ISTHMUS_SIMULATED // SMPI can neither cancel nor forget a message that is on its way
  const bool in_use = ending_.is_abandoned;
#else
  bool in_use = false; // by MPI, perhaps for ever
  for (std::size_t index = 0; index < requests_.size(); ++index) {
    if (pending(index) && index < 2) {
      MPI_Cancel(&requests_[index]);
      MPI_Wait(&requests_[index], MPI_STATUS_IGNORE);
    } else if (pending(index)) {
      MPI_Request_free(&requests_[index]);
      in_use = true;
    }
  }
#endif
  if (in_use) {
    for (ChunkMemory& chunk : chunks_) {
      chunk.leave_to_mpi();
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
  ChunkMemory& chunk = chunks_[leaving_.chunk];
  if (leaving_.bytes == 0 && leaving_.chunk < first_more) {
    chunk.grow(capacities_.next());
  }
  return {chunk.content() + leaving_.bytes,
          std::min(chunk.capacity(), capacities_.next()) - leaving_.bytes};
}

// Where both usual ones are under way a chunk of its own, of the size that is needed.
void MpiChannel::choose_leaving() {
#ifdef ISTHMUS_SIMULATED // where nobody has looked
  if (room_ > 0) {
    test_all(requests_, done_, peer_);
  }
#endif
  for (const std::size_t usual : {2, 3}) {
    if (!pending(usual)) {
      leaving_.chunk = usual;
      return;
    }
  }
  if (room_ >= stream_unit) {
    const std::size_t capacity = std::min(room_, capacities_.next()) / stream_unit * stream_unit;
    chunks_.emplace_back(capacity);
    requests_.push_back(MPI_REQUEST_NULL);
    leaving_.chunk = requests_.size() - 1;
    room_ -= capacity;
  }
}

std::size_t MpiChannel::held() {
  return std::accumulate(chunks_.begin() + first_more, chunks_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& one) { return sum + one.capacity(); });
}

std::size_t MpiChannel::bytes() const {
  return std::accumulate(chunks_.begin(), chunks_.end(), std::size_t{0},
                         [](std::size_t sum, const auto& one) { return sum + one.bytes(); });
}

void MpiChannel::commit(std::size_t n) {
  leaving_.bytes += n;
  if (leaving_.bytes == std::min(chunks_[leaving_.chunk].capacity(), capacities_.next())) {
    send_from(leaving_.chunk);
  }
}

std::span<const std::byte> MpiChannel::readable() {
  if (pending(arriving_.chunk)) {
    return {};
  }
  return {chunks_[arriving_.chunk].content() + arriving_.bytes,
          size_of(arriving_.chunk) - arriving_.bytes};
}

void MpiChannel::consume(std::size_t n) {
  arriving_.bytes += n;
  if (readable().empty()) {
    chunks_[arriving_.chunk].grow(
        capacities_.after(arriving_.bytes, chunks_[arriving_.chunk].capacity()));
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
#ifndef ISTHMUS_SIMULATED // there Waiter::rest() completes them, as each look takes simulated time
  test_all(requests_, done_, peer_);
#endif
  for (std::size_t index = chunks_.size() - 1; index >= first_more; --index) {
    if (!pending(index) && !(index == leaving_.chunk && leaving_.bytes > 0)) {
      chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(index));
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
  if (ending_.is_marked) {
    return;
  }
  ending_.is_marked = true;
  if (leaving_.bytes > 0) {
    send_from(leaving_.chunk);
  }
  chunks_[end_mark].set_size(0);
  for (const std::size_t index : {4, 5}) {
    MPI_Isend(chunks_[end_mark].data(), static_cast<int>(ChunkMemory::prefix_bytes), MPI_BYTE,
              rank_, tag_of(leaving_.number++), joint_.raw(), &requests_[index]);
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
  verify(MPI_Irecv(chunks_[index].data(),
                   static_cast<int>(ChunkMemory::prefix_bytes + chunks_[index].capacity()),
                   MPI_BYTE, rank_, tag_of(arriving_.number++), joint_.raw(), &requests_[index]),
         peer_);
}

void MpiChannel::send_from(std::size_t index) {
  ChunkMemory& chunk = chunks_[index];
  chunk.set_size(leaving_.bytes);
  verify(MPI_Isend(chunk.data(), static_cast<int>(ChunkMemory::prefix_bytes + leaving_.bytes),
                   MPI_BYTE, rank_, tag_of(leaving_.number++), joint_.raw(), &requests_[index]),
         peer_);
  capacities_.of[capacities_.turn] = capacities_.after(leaving_.bytes, capacities_.next());
  capacities_.turn = 1 - capacities_.turn;
  leaving_.chunk = index == 2 ? 3 : 2; // in turn
  leaving_.bytes = 0;
}

std::uint64_t MpiChannel::size_of(std::size_t index) const {
  const std::uint64_t size = chunks_[index].size();
  check(size <= chunks_[index].capacity(), "{} sent a chunk of {} bytes instead of at most {}",
        peer_, size, chunks_[index].capacity());
  return size;
}

// Nothing is on its way any more: both have sent their marks of the end, and all that went before.
bool MpiChannel::end() {
#ifdef ISTHMUS_SIMULATED // all is taken, as nothing that is on its way may be left behind
  if (!ending_.is_abandoned) {
    for (int ends = 0; ends < 2; arriving_.chunk = 1 - arriving_.chunk) {
      MPI_Wait(&requests_[arriving_.chunk], MPI_STATUS_IGNORE);
      if (size_of(arriving_.chunk) == 0) {
        ++ends;
      } else {
        chunks_[arriving_.chunk].grow(
            capacities_.after(size_of(arriving_.chunk), chunks_[arriving_.chunk].capacity()));
        receive_into(arriving_.chunk);
      }
    }
    MPI_Waitall(static_cast<int>(requests_.size()) - 2, &requests_[2], MPI_STATUSES_IGNORE);
  }
#else
  for (MPI_Request& request : requests_) {
    int done = 0;
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done == 0) {
      return false;
    }
  }
#endif
  return chunks_[0].size() == 0 && chunks_[1].size() == 0;
}

} // namespace isthmus::transport
