// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/discover.hpp"
#include "isthmus/comm/message.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace isthmus::comm {

namespace {

struct Label {
  std::int32_t source;
  std::int32_t target;
  std::uint64_t size;
};

/// In front of every hop.
struct Head {
  std::uint64_t size;   // of the whole message
  std::uint64_t failed; // 1 if a rank is known to have given up
};

struct Travelling {
  Label label;
  std::vector<std::byte> bytes;
};

constexpr std::size_t slot = std::size_t{1} << 15; // bytes of one hop before a second message

/// Head, then label and bytes of each.
std::vector<std::byte> pack(const std::vector<Travelling>& parcels, bool failed) {
  std::uint64_t size = sizeof(Head);
  for (const Travelling& parcel : parcels) {
    size += sizeof(Label) + parcel.bytes.size();
  }
  std::vector<std::byte> message(size);
  std::byte* end = message.data();
  const auto append = [&end](const void* data, std::size_t count) {
    if (count > 0) {
      std::memcpy(end, data, count);
      end += count;
    }
  };
  const Head head{size, failed ? 1U : 0U};
  append(&head, sizeof head);
  for (const Travelling& parcel : parcels) {
    append(&parcel.label, sizeof(Label));
    append(parcel.bytes.data(), parcel.bytes.size());
  }
  return message;
}

void unpack(std::span<const std::byte> message, std::vector<Travelling>& parcels) {
  while (!message.empty()) {
    Travelling parcel;
    std::memcpy(&parcel.label, message.data(), sizeof(Label));
    const auto bytes = message.subspan(sizeof(Label), parcel.label.size);
    parcel.bytes.assign(bytes.begin(), bytes.end());
    parcels.push_back(std::move(parcel));
    message = message.subspan(sizeof(Label) + bytes.size());
  }
}

/// Sends `leaving` up by `distance` ranks and adds what comes from below to `parcels`. The hops are
/// those of a dissemination barrier, so a failure is known to all after the last.
bool hop(const Comm& comm, int distance, const std::vector<Travelling>& leaving,
         std::vector<Travelling>& parcels, bool failed, Traffic* traffic) {
  const int to = static_cast<int>((std::int64_t{comm.rank()} + distance) % comm.size());
  const int from = (comm.rank() - distance + comm.size()) % comm.size();
  std::vector<std::byte> incoming(slot);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(incoming.data(), static_cast<int>(slot), MPI_BYTE, from, tag_route,
                      comm.raw(), &request),
            "MPI_Irecv");
  Sends sends;
  const auto send = [&](std::vector<std::byte> bytes) {
    if (traffic != nullptr) {
      traffic->count(bytes.size());
    }
    sends.add(comm, to, tag_route, std::move(bytes));
  };
  std::vector<std::byte> message = pack(leaving, failed);
  if (message.size() > slot) {
    std::vector<std::byte> rest(message.begin() + slot, message.end());
    message.resize(slot);
    send(std::move(message));
    send(std::move(rest));
  } else {
    send(std::move(message));
  }
  await(comm, std::span(&request, 1));
  Head head;
  std::memcpy(&head, incoming.data(), sizeof head);
  incoming.resize(head.size);
  if (head.size > slot) {
    receive(comm, from, tag_route, std::span(incoming).subspan(slot));
  }
  if (traffic != nullptr) {
    traffic->received += head.size > slot ? 2 : 1;
  }
  unpack(std::span(incoming).subspan(sizeof head), parcels);
  sends.wait();
  return failed || head.failed != 0;
}

} // namespace

std::vector<Parcel> routed_exchange(const Comm& comm, std::vector<Parcel> outgoing,
                                    Traffic* traffic) {
  std::optional<std::string> failure;
  std::vector<Travelling> here;
  for (Parcel& parcel : outgoing) {
    if (parcel.rank < 0 || parcel.rank >= comm.size()) {
      failure = fmt::format("a parcel is addressed to rank {}, but there are {} ranks", parcel.rank,
                            comm.size());
      continue;
    }
    const Label label{comm.rank(), parcel.rank, parcel.bytes.size()};
    here.push_back({label, std::move(parcel.bytes)});
  }
  bool failed = failure.has_value();
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    const auto leaves = std::stable_partition(here.begin(), here.end(), [&](const Travelling& p) {
      return (((p.label.target - comm.rank() + comm.size()) % comm.size()) & distance) == 0;
    });
    std::vector<Travelling> leaving(std::make_move_iterator(leaves),
                                    std::make_move_iterator(here.end()));
    here.erase(leaves, here.end());
    failed = hop(comm, distance, leaving, here, failed, traffic);
  }
  if (failed) {
    agree_on(comm, failure);
  }
  std::stable_sort(here.begin(), here.end(), [](const Travelling& a, const Travelling& b) {
    return a.label.source < b.label.source;
  });
  std::vector<Parcel> incoming;
  incoming.reserve(here.size());
  for (Travelling& parcel : here) {
    incoming.push_back({parcel.label.source, std::move(parcel.bytes)});
  }
  return incoming;
}

} // namespace isthmus::comm
