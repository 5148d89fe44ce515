// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/message.hpp"

#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cstdint>

namespace isthmus::comm {

namespace {

constexpr std::size_t piece = std::size_t{1} << 30; // MPI counts are ints

/// Calls f(begin, count) for the pieces of a message; an empty message is one empty piece.
template <typename F>
void for_pieces(std::size_t size, F&& f) {
  std::size_t begin = 0;
  do {
    const std::size_t count = std::min(piece, size - begin);
    f(begin, static_cast<int>(count));
    begin += count;
  } while (begin < size);
}

} // namespace

Sends::~Sends() {
  if (!requests_.empty()) {
    for (MPI_Request& request : requests_) {
      if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
      }
    }
    (void)new auto(std::move(buffers_));
  }
}

void Sends::add(const Comm& comm, int to, int tag, std::vector<std::byte> bytes) {
  comm_ = &comm;
  buffers_.push_back(std::move(bytes));
  const std::vector<std::byte>& buffer = buffers_.back();
  for_pieces(buffer.size(), [&](std::size_t begin, int count) {
    requests_.push_back(MPI_REQUEST_NULL);
    check_mpi(
        MPI_Isend(buffer.data() + begin, count, MPI_BYTE, to, tag, comm.raw(), &requests_.back()),
        "MPI_Isend");
  });
}

void Sends::wait() {
  if (!requests_.empty()) {
    await(*comm_, requests_);
  }
  requests_.clear();
  buffers_.clear();
}

void receive(const Comm& comm, int from, int tag, std::span<std::byte> bytes) {
  for_pieces(bytes.size(), [&](std::size_t begin, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(bytes.data() + begin, count, MPI_BYTE, from, tag, comm.raw(), &request),
              "MPI_Irecv");
    await(comm, std::span(&request, 1));
  });
}

void send_message(const Comm& comm, int to, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  const auto header = std::as_bytes(std::span(&size, 1));
  Sends sends;
  sends.add(comm, to, tag_message, {header.begin(), header.end()});
  if (size > 0) {
    sends.add(comm, to, tag_message, {bytes.begin(), bytes.end()});
  }
  sends.wait();
}

std::vector<std::byte> receive_message(const Comm& comm, int from) {
  std::uint64_t size = 0;
  receive(comm, from, tag_message, std::as_writable_bytes(std::span(&size, 1)));
  std::vector<std::byte> bytes(size);
  if (size > 0) {
    receive(comm, from, tag_message, bytes);
  }
  return bytes;
}

} // namespace isthmus::comm
