// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/proxies.hpp"

#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace isthmus::rendezvous {

namespace {

using Bytes = std::vector<std::byte>;

/// A block of provider's ranks that begins at `low` is halved at `middle`.
struct Halving {
  int round;
  int low;
  int middle;
};

/// Those in which a rank of `mine` leads the block or its upper half.
void collect(int low, int high, int round, RankRange mine, std::vector<Halving>& halvings) {
  if (high - low < 2 || mine.last <= low || high <= mine.first) {
    return;
  }
  const int middle = low + (high - low + 1) / 2;
  if (mine.contains(low) || mine.contains(middle)) {
    halvings.push_back({round, low, middle});
  }
  collect(low, middle, round + 1, mine, halvings);
  collect(middle, high, round + 1, mine, halvings);
}

/// In the same order on all ranks, so that none waits for a later one.
std::vector<Halving> halvings_of(int providers, RankRange mine) {
  std::vector<Halving> halvings;
  collect(0, providers, 0, mine, halvings);
  std::sort(halvings.begin(), halvings.end(), [](const Halving& a, const Halving& b) {
    return std::tie(a.round, a.low) < std::tie(b.round, b.low);
  });
  return halvings;
}

/// One rank's view of the descent.
class Descent {
 public:
  Descent(const comm::Comm& comm, const Bytes& address, Across& across, comm::Traffic* traffic)
      : comm_(comm), address_(address), across_(across), traffic_(traffic) {}

  std::vector<Partner> provide(int receivers) {
    const int rank = comm_.rank();
    if (rank == 0) {
      cross(0, address_);
      add(0, across_.receive(0), false);
    }
    for (const Halving& halving : halvings_of(comm_.size(), {rank, rank + 1})) {
      if (rank == halving.low) {
        cross(partner(halving.low, receivers), take(halving.middle));
        give(halving.middle, across_.receive(partner(halving.low, receivers)));
      } else {
        give(halving.low, address_);
        add(partner(rank, receivers), take(halving.low), true);
      }
    }
    return std::move(partners_);
  }

  std::vector<Partner> receive(int providers) {
    const int rank = comm_.rank();
    if (rank == 0) {
      Bytes first = across_.receive(0);
      cross(0, address_);
      add(0, std::move(first), false);
    }
    const RankRange clients = proxy_clients(rank, providers, comm_.size());
    for (const Halving& halving : halvings_of(providers, clients)) {
      const int lower = proxy_rank(halving.low, providers, comm_.size());
      const int upper = proxy_rank(halving.middle, providers, comm_.size());
      Bytes address = address_; // of the upper pair's receiver, then of its provider
      if (upper != lower) {
        if (rank == upper) {
          give(lower, address_);
          add(halving.middle, take(lower), true);
          continue;
        }
        address = take(upper);
      }
      Bytes provider = across_.receive(halving.low);
      cross(halving.low, std::move(address));
      if (upper == lower) {
        add(halving.middle, std::move(provider), true);
      } else {
        give(upper, std::move(provider));
      }
    }
    std::sort(partners_.begin(), partners_.end(),
              [](const Partner& a, const Partner& b) { return a.rank < b.rank; });
    return std::move(partners_);
  }

 private:
  [[nodiscard]] int partner(int rank, int receivers) const {
    return proxy_rank(rank, comm_.size(), receivers);
  }
  void count(const Bytes& bytes) {
    if (traffic_ != nullptr) {
      traffic_->count(bytes.size());
    }
  }
  void cross(int remote, Bytes bytes) {
    count(bytes);
    across_.send(remote, std::move(bytes));
  }
  void give(int rank, const Bytes& bytes) {
    count(bytes);
    comm::send_message(comm_, rank, bytes);
  }
  Bytes take(int rank) { return comm::receive_message(comm_, rank); }
  void add(int rank, Bytes address, bool link) {
    partners_.push_back({rank, std::move(address)});
    if (link) {
      across_.link(partners_.back());
    }
  }

  const comm::Comm& comm_;
  const Bytes& address_;
  Across& across_;
  comm::Traffic* traffic_;
  std::vector<Partner> partners_;
};

} // namespace

int proxy_rank(int provider_rank, int providers, int receivers) {
  return static_cast<int>(std::int64_t{provider_rank} * receivers / providers);
}

RankRange proxy_clients(int receiver_rank, int providers, int receivers) {
  const auto first = [&](std::int64_t rank) {
    return static_cast<int>((rank * providers + receivers - 1) / receivers);
  };
  return {first(receiver_rank), first(std::int64_t{receiver_rank} + 1)};
}

std::vector<Partner> link_proxies(const comm::Comm& comm, Side side, int remote_size,
                                  const Bytes& address, Across& across, comm::Traffic* traffic) {
  Descent descent(comm, address, across, traffic);
  return side == Side::provider ? descent.provide(remote_size) : descent.receive(remote_size);
}

} // namespace isthmus::rendezvous
