// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/delivery.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::comm {

namespace {

constexpr std::int64_t failure_mark = -2; // as a count: the sender has failed

/// Bytes of all parcels for one rank, each behind its length.
struct Bundle {
  int rank;
  std::vector<std::byte> bytes;
};

std::vector<Bundle> bundle(std::vector<Parcel> parcels) {
  std::stable_sort(parcels.begin(), parcels.end(),
                   [](const Parcel& a, const Parcel& b) { return a.rank < b.rank; });
  std::vector<Bundle> bundles;
  for (auto begin = parcels.begin(); begin != parcels.end();) {
    Writer writer;
    const int rank = begin->rank;
    for (; begin != parcels.end() && begin->rank == rank; ++begin) {
      writer.put_array(begin->bytes);
    }
    bundles.push_back({rank, writer.take()});
  }
  return bundles;
}

void unbundle(int rank, std::span<const std::byte> bytes, std::vector<Parcel>& parcels) {
  Reader reader(bytes);
  while (reader.left() > 0) {
    parcels.push_back({rank, reader.get_array<std::byte>()});
  }
}

/// Payload of which the receivers know the sizes.
std::vector<Bundle> exchange_known(const Comm& comm, std::vector<Bundle> outgoing,
                                   std::span<const Count> expected, Traffic* traffic) {
  std::vector<Bundle> incoming;
  std::vector<MPI_Request> receives;
  for (const Count& count : expected) {
    incoming.push_back({count.rank, std::vector<std::byte>(static_cast<std::size_t>(count.bytes))});
    start_receive(comm, count.rank, tag_counted, incoming.back().bytes, receives);
  }
  Sends sends;
  for (Bundle& one : outgoing) {
    if (traffic != nullptr) {
      traffic->count(one.bytes.size());
    }
    sends.add(comm, one.rank, tag_counted, std::move(one.bytes));
  }
  await(comm, receives);
  if (traffic != nullptr) {
    traffic->received += static_cast<std::int64_t>(expected.size());
  }
  sends.wait();
  return incoming;
}

/// A failure, or that a parcel is addressed to nobody.
std::optional<std::string> or_wrong_rank(const Comm& comm,
                                         const std::optional<std::string>& failure,
                                         std::span<const Parcel> parcels) {
  for (const Parcel& parcel : parcels) {
    if (!failure && (parcel.rank < 0 || parcel.rank >= comm.size())) {
      return fmt::format("a parcel is addressed to rank {}, but there are {} ranks", parcel.rank,
                         comm.size());
    }
  }
  return failure;
}

std::vector<Count> counts_of(std::span<const Bundle> bundles) {
  std::vector<Count> counts;
  for (const Bundle& one : bundles) {
    counts.push_back({one.rank, static_cast<std::int64_t>(one.bytes.size())});
  }
  return counts;
}

std::vector<Count> counts_to_all(const Comm& comm, std::int64_t bytes) {
  std::vector<Count> counts;
  for (int rank = 0; rank < comm.size(); ++rank) {
    counts.push_back({rank, bytes});
  }
  return counts;
}

} // namespace

Discovery fastest_discovery(int ranks, int partners) {
  // microseconds beside the payload, fitted to a simulated cluster with 8 to 13 partners
  const double all_to_all = 0.06 * ranks;
  const double consensus = 5 + 1.4 * std::log2(ranks) + 0.6 * partners;
  return all_to_all <= consensus ? Discovery::all_to_all : Discovery::consensus;
}

std::string_view name_of(Discovery discovery) {
  constexpr std::string_view names[] = {"all-to-all", "put-fence",  "put-passive", "consensus",
                                        "routed",     "remembered", "automatic"};
  return names[static_cast<std::size_t>(discovery)];
}

Delivery::Delivery(const Comm& comm, Discovery discovery, int partners)
    : comm_(&comm),
      discovery_(discovery == Discovery::automatic ? fastest_discovery(comm.size(), partners)
                                                   : discovery) {
  if (discovery_ == Discovery::remembered) {
    remembered_.emplace(comm);
  } else if (comm.size() > 1 && discovery_ == Discovery::put_fence) {
    window_ = std::make_unique<CountWindow>(comm, CountWindow::Completion::fence);
  } else if (comm.size() > 1 && discovery_ == Discovery::put_passive) {
    window_ = std::make_unique<CountWindow>(comm, CountWindow::Completion::passive);
  }
}

std::vector<Parcel> Delivery::exchange(std::vector<Parcel> outgoing, Traffic* traffic,
                                       std::optional<std::string> failure) {
  switch (comm_->size() == 1 ? Discovery::consensus : discovery_) {
    case Discovery::routed:
      return routed_exchange(*comm_, std::move(outgoing), traffic, std::move(failure));
    case Discovery::remembered:
      return exchange_remembered(outgoing, or_wrong_rank(*comm_, failure, outgoing), traffic);
    case Discovery::all_to_all:
    case Discovery::put_fence:
    case Discovery::put_passive:
      failure = or_wrong_rank(*comm_, failure, outgoing);
      return exchange_counted(std::move(outgoing), failure, traffic);
    default:
      return sparse_exchange(*comm_, std::move(outgoing), traffic, failure);
  }
}

std::vector<Parcel> Delivery::exchange_remembered(const std::vector<Parcel>& outgoing,
                                                  const std::optional<std::string>& failure,
                                                  Traffic* traffic) {
  const Neighbours& partners = remembered_->partners();
  remembered_->begin(failure || std::any_of(outgoing.begin(), outgoing.end(),
                                            [&](const Parcel& parcel) {
                                              return parcel.rank != comm_->rank() &&
                                                     partners.find(parcel.rank) == partners.size();
                                            }),
                     traffic);
  if (!failure) {
    for (const Parcel& parcel : outgoing) {
      remembered_->append(parcel.rank, Writer().put_array(parcel.bytes).take());
    }
  }
  std::vector<Parcel> incoming;
  for (const Remembered::Received& received : remembered_->finish(failure, traffic)) {
    unbundle(received.rank, received.bytes, incoming);
  }
  return incoming;
}

/// Sends the counts to those who are meant and returns those that are meant for this rank.
std::vector<Count> Delivery::swap_counts(std::span<const Count> counts, Traffic* traffic) {
  if (window_) {
    if (traffic != nullptr) {
      traffic->messages += static_cast<std::int64_t>(counts.size());
      traffic->bytes += static_cast<std::int64_t>(counts.size() * sizeof(std::int64_t));
      traffic->count_barrier(comm_->size());
    }
    return window_->exchange(counts);
  }
  std::vector<std::int64_t> row(static_cast<std::size_t>(comm_->size()), -1);
  for (const Count& count : counts) {
    row[static_cast<std::size_t>(count.rank)] = count.bytes;
  }
  if (traffic != nullptr) {
    traffic->count_alltoall(comm_->size(), sizeof(std::int64_t));
  }
  std::vector<Count> incoming;
  const std::vector<std::int64_t> column = alltoall(*comm_, row);
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (const std::int64_t bytes = column[static_cast<std::size_t>(rank)]; bytes != -1) {
      incoming.push_back({rank, bytes});
    }
  }
  return incoming;
}

std::vector<Parcel> Delivery::exchange_counted(std::vector<Parcel> outgoing,
                                               const std::optional<std::string>& failure,
                                               Traffic* traffic) {
  std::vector<Bundle> bundles = failure ? std::vector<Bundle>{} : bundle(std::move(outgoing));
  const std::vector<Count> counts =
      swap_counts(failure ? counts_to_all(*comm_, failure_mark) : counts_of(bundles), traffic);
  if (std::any_of(counts.begin(), counts.end(),
                  [](const Count& count) { return count.bytes == failure_mark; })) {
    agree_on(*comm_, failure);
  }
  std::vector<Parcel> parcels;
  for (const Bundle& one : exchange_known(*comm_, std::move(bundles), counts, traffic)) {
    unbundle(one.rank, one.bytes, parcels);
  }
  return parcels;
}

} // namespace isthmus::comm
