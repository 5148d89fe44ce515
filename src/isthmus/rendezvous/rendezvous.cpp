// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/rendezvous.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/rendezvous/proxies.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace isthmus::rendezvous {

namespace {

using Bytes = std::vector<std::byte>;
using Boxes = std::vector<geometry::Box>;

bool before(const geometry::Box& a, const geometry::Box& b) {
  return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi);
}

/// Each once, without those that are empty.
Boxes sorted(const Boxes& boxes) {
  Boxes result;
  std::copy_if(boxes.begin(), boxes.end(), std::back_inserter(result),
               [](const geometry::Box& box) { return !box.empty(); });
  std::sort(result.begin(), result.end(), before);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Meeting> meetings_of(const Bytes& bytes) {
  Reader reader(bytes);
  std::vector<Meeting> meetings;
  while (reader.left() > 0) {
    meetings.push_back(read_meeting(reader));
  }
  return meetings;
}

/// One rank's part in a rendezvous.
class Visitor {
 public:
  Visitor(const comm::Comm& comm, int remote_size, Across& across, comm::Traffic& traffic)
      : comm_(comm), remote_size_(remote_size), across_(across), traffic_(traffic) {}

  void provide(const RankBoxes& own) {
    const int proxy = proxy_rank(comm_.rank(), comm_.size(), remote_size_);
    Writer writer;
    write(writer, own);
    send_across(proxy, writer.take());
    for (Meeting& meeting : meetings_of(receive_across(proxy))) {
      learn(std::move(meeting));
    }
  }

  void receive(RankBoxes own) {
    const std::vector<RankBoxes> spoken_for = collect(std::move(own));
    const Grid grid = agree_on_grid(spoken_for);
    std::vector<RankBoxes> owned;
    for (const comm::Parcel& parcel :
         comm::routed_exchange(comm_, to_owners(grid, spoken_for), &traffic_)) {
      Reader reader(parcel.bytes);
      owned.push_back(read_boxes(reader));
    }
    const std::vector<Meeting> found = meetings_in(grid, comm_.rank(), comm_.size(), owned);
    std::vector<Meeting> meetings;
    for (const comm::Parcel& parcel : comm::routed_exchange(comm_, to_homes(found), &traffic_)) {
      for (Meeting& meeting : meetings_of(parcel.bytes)) {
        meetings.push_back(std::move(meeting));
      }
    }
    deliver(std::move(meetings));
  }

  [[nodiscard]] std::vector<Partner> partners() {
    std::vector<Partner> result;
    result.reserve(partners_.size());
    for (auto& [rank, address] : partners_) {
      result.push_back({rank, std::move(address)});
    }
    return result;
  }

 private:
  /// The receiver's rank that speaks for a rank of either side.
  [[nodiscard]] int home(Side side, int rank) const {
    return side == Side::receiver ? rank : proxy_rank(rank, remote_size_, comm_.size());
  }

  /// The boxes of this rank and of those it speaks for.
  std::vector<RankBoxes> collect(RankBoxes own) {
    std::vector<RankBoxes> all;
    all.push_back(std::move(own));
    const RankRange clients = proxy_clients(comm_.rank(), remote_size_, comm_.size());
    for (int client = clients.first; client < clients.last; ++client) {
      const Bytes bytes = receive_across(client);
      Reader reader(bytes);
      all.push_back(read_boxes(reader));
    }
    return all;
  }

  Grid agree_on_grid(std::span<const RankBoxes> spoken_for) {
    Grid grid;
    for (const RankBoxes& one : spoken_for) {
      for (const geometry::Box& box : one.boxes) {
        grid.insert(one.side, box);
      }
    }
    std::array<std::uint64_t, 4> bits{grid.used[0].bits[0], grid.used[0].bits[1],
                                      grid.used[1].bits[0], grid.used[1].bits[1]};
    comm::allreduce(comm_, std::span<std::uint64_t>(bits), comm::Op::bit_or);
    traffic_.count_allreduce(comm_.size(), sizeof bits);
    grid.used = {Levels{{bits[0], bits[1]}}, Levels{{bits[2], bits[3]}}};
    return grid;
  }

  /// To the owners of the cells that boxes touch.
  [[nodiscard]] std::vector<comm::Parcel> to_owners(const Grid& grid,
                                                    std::span<const RankBoxes> spoken_for) const {
    std::vector<comm::Parcel> parcels;
    for (const RankBoxes& one : spoken_for) {
      std::map<int, Boxes> parts; // by owner
      for (const geometry::Box& box : one.boxes) {
        grid.for_each_cell(one.side, box, [&](const Cell& cell) {
          Boxes& dealt = parts[owner(cell, comm_.size())];
          if (dealt.empty() || dealt.back() != box) {
            dealt.push_back(box);
          }
        });
      }
      for (auto& [rank, boxes] : parts) {
        Writer writer;
        write(writer, {one.side, one.rank, one.address, std::move(boxes)});
        parcels.push_back({rank, writer.take()});
      }
    }
    return parcels;
  }

  /// To those who speak for the ranks that are to learn of each other.
  [[nodiscard]] std::vector<comm::Parcel> to_homes(std::span<const Meeting> meetings) const {
    std::map<int, Writer> writers;
    for (const Meeting& meeting : meetings) {
      write(writers[home(meeting.side, meeting.rank)], meeting);
    }
    std::vector<comm::Parcel> parcels;
    for (auto& [rank, writer] : writers) {
      parcels.push_back({rank, writer.take()});
    }
    return parcels;
  }

  /// Keeps what is for this rank and passes on what is for those it speaks for.
  void deliver(std::vector<Meeting> meetings) {
    const RankRange clients = proxy_clients(comm_.rank(), remote_size_, comm_.size());
    std::vector<Writer> replies(static_cast<std::size_t>(clients.last - clients.first));
    for (Meeting& meeting : meetings) {
      if (meeting.side == Side::receiver) {
        learn(std::move(meeting));
      } else {
        write(replies.at(static_cast<std::size_t>(meeting.rank - clients.first)), meeting);
      }
    }
    for (int client = clients.first; client < clients.last; ++client) {
      send_across(client, replies[static_cast<std::size_t>(client - clients.first)].take());
    }
  }

  void learn(Meeting meeting) { partners_[meeting.partner] = std::move(meeting.address); }

  void send_across(int rank, Bytes bytes) {
    traffic_.count(bytes.size());
    across_.send(rank, std::move(bytes));
  }

  Bytes receive_across(int rank) {
    ++traffic_.received;
    return across_.receive(rank);
  }

  const comm::Comm& comm_;
  int remote_size_;
  Across& across_;
  comm::Traffic& traffic_;
  std::map<int, Bytes> partners_; // and their addresses
};

} // namespace

std::vector<Partner> rendezvous_partners(const comm::Comm& comm, int remote_size, Across& across,
                                         RankBoxes own, comm::Traffic* traffic) {
  comm::Traffic unused;
  Visitor visitor(comm, remote_size, across, traffic != nullptr ? *traffic : unused);
  own.boxes = sorted(own.boxes);
  if (own.side == Side::provider) {
    visitor.provide(own);
  } else {
    visitor.receive(std::move(own));
  }
  return visitor.partners();
}

} // namespace isthmus::rendezvous
