// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/centralized.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <algorithm>
#include <unordered_set>

namespace isthmus::rendezvous {

namespace {

using Bytes = std::vector<std::byte>;

/// The ways through the first ranks.
class Root {
 public:
  Root(const comm::Comm& comm, Across& across, comm::Traffic* traffic)
      : comm_(comm), across_(across), traffic_(traffic != nullptr ? *traffic : unused_) {}

  /// The pieces of all ranks, one after the other, on the first.
  Bytes gather(Bytes own) {
    if (comm_.rank() > 0) {
      traffic_.count(own.size());
      comm::send_message(comm_, 0, own);
      return {};
    }
    for (int rank = 1; rank < comm_.size(); ++rank) {
      const Bytes piece = comm::receive_message(comm_, rank);
      ++traffic_.received;
      own.insert(own.end(), piece.begin(), piece.end());
    }
    return own;
  }
  void send(Bytes bytes) {
    if (comm_.rank() == 0) {
      traffic_.count(bytes.size());
      across_.send(0, std::move(bytes));
    }
  }
  /// What the other first rank sent, on all ranks.
  Bytes receive() {
    Bytes bytes;
    if (comm_.rank() == 0) {
      bytes = across_.receive(0);
      ++traffic_.received;
    }
    return broadcast(std::move(bytes));
  }

 private:
  Bytes broadcast(Bytes bytes) {
    comm::bcast(comm_, bytes);
    traffic_.count_bcast(comm_.rank(), comm_.size(), bytes.size());
    return bytes;
  }

  const comm::Comm& comm_;
  Across& across_;
  comm::Traffic unused_;
  comm::Traffic& traffic_;
};

void sort(std::vector<Partner>& partners) {
  std::sort(partners.begin(), partners.end(),
            [](const Partner& a, const Partner& b) { return a.rank < b.rank; });
}

/// All provider's boxes in, own partners out; and the entries of the map of partners.
std::vector<Partner> compare(int rank, const geometry::Box& own, const Bytes& address,
                             const Bytes& boxes, Writer& feedback) {
  std::vector<Partner> partners;
  Reader reader(boxes);
  while (reader.left() > 0) {
    const auto provider = reader.get<int>();
    const auto box = reader.get<geometry::Box>();
    Bytes provider_address = reader.get_array<std::byte>();
    if (box.intersects(own)) {
      partners.push_back({provider, std::move(provider_address)});
      feedback.put(provider).put(rank).put_array(address);
    }
  }
  return partners;
}

} // namespace

std::vector<Partner> two_level_partners(const comm::Comm& comm, Side side, Across& across,
                                        std::span<const geometry::Box> boxes, const Bytes& address,
                                        comm::Traffic* traffic) {
  Root root(comm, across, traffic);
  geometry::Box own;
  for (const geometry::Box& box : boxes) {
    if (!box.empty()) {
      own.expand(box);
    }
  }
  std::vector<Partner> partners;
  Writer writer;
  if (side == Side::receiver) {
    partners = compare(comm.rank(), own, address, root.receive(), writer);
    root.send(root.gather(writer.take()));
  } else {
    if (!own.empty()) {
      writer.put(comm.rank()).put(own).put_array(address);
    }
    root.send(root.gather(writer.take()));
    const Bytes map = root.receive();
    Reader reader(map);
    while (reader.left() > 0) {
      const auto provider = reader.get<int>();
      const auto receiver = reader.get<int>();
      Bytes receiver_address = reader.get_array<std::byte>();
      if (provider == comm.rank()) {
        partners.push_back({receiver, std::move(receiver_address)});
      }
    }
  }
  sort(partners);
  return partners;
}

std::vector<Partner> one_level_partners(const comm::Comm& comm, Side side, Across& across,
                                        std::span<const GlobalIndex> ids, const Bytes& address,
                                        comm::Traffic* traffic) {
  Root root(comm, across, traffic);
  Writer writer;
  writer.put(comm.rank()).put_array(ids).put_array(address);
  Bytes own = root.gather(writer.take());
  Bytes others;
  if (side == Side::provider) { // of two linked ranks the provider's sends first
    root.send(std::move(own));
    others = root.receive();
  } else {
    others = root.receive();
    root.send(std::move(own));
  }
  const std::unordered_set<GlobalIndex> mine(ids.begin(), ids.end());
  std::vector<Partner> partners;
  Reader reader(others);
  while (reader.left() > 0) {
    const auto rank = reader.get<int>();
    const auto theirs = reader.get_array<GlobalIndex>();
    Bytes their_address = reader.get_array<std::byte>();
    if (std::any_of(theirs.begin(), theirs.end(),
                    [&](GlobalIndex id) { return mine.contains(id); })) {
      partners.push_back({rank, std::move(their_address)});
    }
  }
  sort(partners);
  return partners;
}

} // namespace isthmus::rendezvous
