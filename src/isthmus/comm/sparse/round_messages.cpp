// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/round_messages.hpp"

#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"

#include <cstring>
#include <span>
#include <utility>

namespace isthmus::comm {

namespace {

constexpr std::size_t eager_size =
    4000; // bytes of the largest message with a parcel in it; eager everywhere

} // namespace

RoundMessages::RoundMessages(const Comm& comm, Traffic* traffic)
    : comm_(comm), traffic_(traffic), parity_(comm.next_parity()), buffer_(eager_size) {}

void RoundMessages::post() {
  check_mpi(MPI_Irecv(buffer_.data(), static_cast<int>(eager_size), MPI_BYTE, MPI_ANY_SOURCE,
                      tag_round + parity_, comm_.raw(), &receive_),
            "MPI_Irecv");
}

void RoundMessages::send(int to, RoundHeader header, std::vector<std::byte> payload) {
  header.size = payload.size();
  std::vector<std::byte> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  const bool fits = sizeof header + payload.size() <= eager_size;
  if (fits) {
    bytes.insert(bytes.end(), payload.begin(), payload.end());
  }
  dispatch(to, tag_round, std::move(bytes));
  if (!fits) {
    dispatch(to, tag_bulk, std::move(payload));
  }
}

void RoundMessages::dispatch(int to, int tag, std::vector<std::byte> bytes) {
  if (traffic_ != nullptr) {
    traffic_->count(bytes.size());
  }
  sends_.add(comm_, to, tag + parity_, std::move(bytes));
}

RoundMessages::Received RoundMessages::receive() {
  if (receive_ == MPI_REQUEST_NULL) {
    post();
  }
  MPI_Status status;
  await(comm_, std::span(&receive_, 1), &status);
  Received received{status.MPI_SOURCE, {}, {}};
  std::memcpy(&received.header, buffer_.data(), sizeof received.header);
  const std::uint64_t size = received.header.size;
  const std::byte* const begin = buffer_.data() + sizeof(RoundHeader);
  const bool fits = sizeof(RoundHeader) + size <= eager_size;
  if (fits) {
    received.payload.assign(begin, begin + size);
  } else {
    received.payload.resize(size);
    comm::receive(comm_, received.source, tag_bulk + parity_, received.payload);
  }
  if (traffic_ != nullptr) {
    traffic_->received += fits ? 1 : 2;
  }
  return received;
}

} // namespace isthmus::comm
