// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/message.hpp"

#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace isthmus::comm {

namespace {

constexpr std::size_t first_part = std::size_t{1}
                                   << 15; // of the first part of a message, length included

void count_sent(Traffic* traffic, std::size_t size) {
  if (traffic != nullptr) {
    traffic->count(size);
  }
}

/// Calls f(begin, count) for the pieces of a message; an empty message is one empty piece.
template <typename F>
void for_pieces(std::size_t size, F&& f) {
  std::size_t begin = 0;
  do {
    const std::size_t count = std::min(most_bytes, size - begin);
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

void start_receive(const Comm& comm, int from, int tag, std::span<std::byte> bytes,
                   std::vector<MPI_Request>& requests) {
  for_pieces(bytes.size(), [&](std::size_t begin, int count) {
    requests.push_back(MPI_REQUEST_NULL);
    check_mpi(
        MPI_Irecv(bytes.data() + begin, count, MPI_BYTE, from, tag, comm.raw(), &requests.back()),
        "MPI_Irecv");
  });
}

void receive(const Comm& comm, int from, int tag, std::span<std::byte> bytes) {
  std::vector<MPI_Request> requests;
  start_receive(comm, from, tag, bytes, requests);
  await(comm, requests);
}

void start_message(Sends& sends, const Comm& comm, int to, int tag,
                   std::span<const std::byte> bytes, Traffic* traffic) {
  const std::uint64_t size = bytes.size();
  const auto now = std::min(first_part - sizeof size, bytes.size());
  std::vector<std::byte> first(sizeof size);
  std::memcpy(first.data(), &size, sizeof size);
  first.insert(first.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(now));
  count_sent(traffic, first.size());
  sends.add(comm, to, tag, std::move(first));
  if (const auto rest = bytes.subspan(now); !rest.empty()) {
    count_sent(traffic, rest.size());
    sends.add(comm, to, tag, {rest.begin(), rest.end()});
  }
}

std::vector<std::byte> receive_message(const Comm& comm, int from, int tag, Traffic* traffic) {
  std::vector<std::byte> bytes(first_part);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(bytes.data(), static_cast<int>(first_part), MPI_BYTE, from, tag, comm.raw(),
                      &request),
            "MPI_Irecv");
  await(comm, std::span(&request, 1));
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.resize(sizeof size + size);
  const bool in_two = bytes.size() > first_part;
  if (in_two) {
    receive(comm, from, tag, std::span(bytes).subspan(first_part));
  }
  bytes.erase(bytes.begin(), bytes.begin() + sizeof size);
  if (traffic != nullptr) {
    traffic->received += in_two ? 2 : 1;
  }
  return bytes;
}

void send_message(const Comm& comm, int to, std::span<const std::byte> bytes) {
  Sends sends;
  start_message(sends, comm, to, tag_message, bytes);
  sends.wait();
}

} // namespace isthmus::comm
