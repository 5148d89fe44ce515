// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/connection.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/connect/joint.hpp"
#include "isthmus/partner/first_contact.hpp"
#include "isthmus/rendezvous/centralized.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "isthmus/rendezvous/rendezvous.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace isthmus::partner {

namespace {

/// Numbers of all ranks in the MPI job that both participants are part of.
struct WorldRanks {
  static constexpr transport::Kind kind = transport::Kind::world_ranks;
  std::vector<int> list;

  void write(Writer& writer) const { writer.put_array(list); }
  static WorldRanks read(Reader& reader) { return {reader.get_array<int>()}; }
};

/// All ranks have come as far as the first one.
struct Ready {
  static constexpr transport::Kind kind = transport::Kind::ready;

  void write(Writer& /*writer*/) const {}
  static Ready read(Reader& /*reader*/) { return {}; }
};

/// Of all ranks of a participant, by rank.
struct RankAddresses {
  static constexpr transport::Kind kind = transport::Kind::rank_addresses;
  std::vector<std::vector<std::byte>> list;

  void write(Writer& writer) const {
    for (const std::vector<std::byte>& address : list) {
      writer.put_array(address);
    }
  }
  static RankAddresses read(Reader& reader) {
    RankAddresses addresses;
    while (reader.left() > 0) {
      addresses.list.push_back(reader.get_array<std::byte>());
    }
    return addresses;
  }
};

std::vector<std::byte> encode(const connect::Address& address) {
  Writer writer;
  connect::put(writer, address);
  return writer.take();
}

/// A partner that has just closed its door says why to those that it is linked with, other ranks
/// of this participant, perhaps, which raise an alarm. Returns if nobody does in a moment.
void await_reason(transport::Hub& hub) {
  constexpr double moment_s = 3;
  const Deadline moment(moment_s);
  while (!moment.passed()) {
    hub.progress();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

} // namespace

/// What the algorithms of a rendezvous say to each other, as messages of one kind over the links to
/// a partner.
class Connection::Links final : public rendezvous::Across {
 public:
  Links(Connection& partner, transport::Kind kind) : partner_(partner), kind_(kind) {}

  void send(int remote_rank, std::vector<std::byte> bytes) override {
    partner_.context_.hub.send(partner_.link_to(remote_rank), kind_, std::move(bytes));
  }
  [[nodiscard]] std::vector<std::byte> receive(int remote_rank) override {
    return partner_.context_.hub.receive(partner_.link_to(remote_rank), kind_,
                                         partner_.context_.progress_timeout);
  }
  void link(const rendezvous::Partner& partner) override {
    partner_.link_here(std::span(&partner, 1));
  }

 private:
  Connection& partner_;
  transport::Kind kind_;
};

Connection::Connection(Context& context, const config::M2N& m2n, std::string partner)
    : context_(context), accepts_(m2n.connector == partner), partner_(std::move(partner)) {
  if (context_.joint != nullptr) {
    joint_.emplace(*context_.joint, partner_);
  }
  FirstContact contact;
  comm::agree(context_.comm, [this, &m2n, &contact] {
    if (!context_.comm.is_root()) {
      return;
    }
    contact = joint_ ? shake_hands(context_, partner_, joint_->link(context_.hub, 0), false)
                     : meet(context_, m2n, partner_, accepts_);
    links_[0] = contact.link;
  });
  remote_size_ = comm::bcast(context_.comm, contact.remote_size);
  token_ = comm::bcast(context_.comm, contact.token);
  if (comm::bcast(context_.comm, contact.use_mpi)) {
    join_by_mpi();
  }
}

/// What can fail on one rank alone comes before the ranks of both sides wait for each other in MPI,
/// where nothing ends a wait.
void Connection::join_by_mpi() {
  std::vector<int> own;
  std::vector<int> others;
  comm::agree(context_.comm, [this, &own] { own = connect::world_ranks(context_.comm); });
  others = swap(WorldRanks{own}).list;
  comm::agree(context_.comm, [this, &own, &others] {
    joint_.emplace(partner_, static_cast<int>(others.size()),
                   accepts_ ? static_cast<int>(own.size()) : 0);
  });
  static_cast<void>(swap(Ready{}));
  joint_->join(accepts_ ? own : others, accepts_ ? others : own);
  if (context_.comm.is_root()) {
    links_[0] = joint_->link(context_.hub, 0); // the first ranks' connection stays to see a crash
  }
}

std::vector<int> Connection::find_partners(rendezvous::Side side,
                                           config::Initialization initialization,
                                           std::span<const geometry::Box> boxes) {
  const auto scope = context_.trace.scope("partners");
  const comm::Comm& comm = context_.comm;
  const int receivers = side == rendezvous::Side::receiver ? comm.size() : remote_size_;
  if (receivers == 1) {
    return link(all_ranks());
  }
  const bool two_level = initialization == config::Initialization::two_level;
  if (!two_level) {
    link_proxies(side);
  }
  Links across(*this, transport::Kind::partners);
  if (two_level) {
    return link(rendezvous::two_level_partners(comm, side, across, boxes, own_address()));
  }
  return link(rendezvous::rendezvous_partners(
      comm, remote_size_, across,
      {side, comm.rank(), own_address(), {boxes.begin(), boxes.end()}}));
}

std::vector<int> Connection::find_partners_by_ids(rendezvous::Side side,
                                                  std::span<const GlobalIndex> ids) {
  const auto scope = context_.trace.scope("partners");
  Links across(*this, transport::Kind::partners);
  return link(rendezvous::one_level_partners(context_.comm, side, across, ids, own_address()));
}

/// A single rank of the receiver exchanges with every rank of the provider.
std::vector<rendezvous::Partner> Connection::all_ranks() {
  const comm::Comm& comm = context_.comm;
  const std::vector<std::byte> own = own_address();
  const auto all = comm::gather(comm, std::span<const std::byte>(own));
  RankAddresses addresses;
  for (int r = 0; comm.is_root() && r < comm.size(); ++r) {
    addresses.list.emplace_back(all.of(r).begin(), all.of(r).end());
  }
  RankAddresses others = swap(addresses);
  check(others.list.size() == static_cast<std::size_t>(remote_size_),
        "participant \"{}\" has sent {} addresses for {} ranks", partner_, others.list.size(),
        remote_size_);
  std::vector<rendezvous::Partner> partners;
  for (int r = 0; r < remote_size_; ++r) {
    partners.push_back({r, std::move(others.list[static_cast<std::size_t>(r)])});
  }
  return partners;
}

std::vector<int> Connection::link(std::span<const rendezvous::Partner> partners) {
  link_here(partners); // who waits there for a rank that has failed would not learn of an agreement
  std::vector<int> ranks;
  for (const rendezvous::Partner& one : partners) {
    ranks.push_back(one.rank);
  }
  return ranks;
}

void Connection::link_here(std::span<const rendezvous::Partner> partners) {
  std::vector<int> ranks;
  std::vector<connect::Target> targets;
  for (const rendezvous::Partner& one : partners) {
    if (!links_.contains(one.rank)) {
      ranks.push_back(one.rank);
      if (!joint_) {
        Reader reader(one.address);
        targets.push_back({connect::get_address(reader), partner_, one.rank});
      }
    }
  }
  if (joint_) {
    for (int rank : ranks) {
      links_[rank] = joint_->link(context_.hub, rank);
    }
    return;
  }
  if (ranks.empty()) {
    return;
  }
  const Deadline deadline(context_.progress_timeout);
  std::vector<transport::LinkId> made;
  try {
    made = accepts_ ? context_.endpoint->accept(context_.hub, partner_, ranks, token_, deadline)
                    : context_.endpoint->connect(context_.hub, targets, token_, deadline);
  } catch (const transport::PeerLost&) {
    await_reason(context_.hub);
    throw;
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    links_[ranks[i]] = made[i];
  }
}

void Connection::link_proxies(rendezvous::Side side) {
  if (!linked_proxies_.insert(side).second) {
    return;
  }
  if (joint_) {
    link_proxies_by_mpi(side);
    return;
  }
  Links across(*this, transport::Kind::addresses);
  static_cast<void>(
      rendezvous::link_proxies(context_.comm, side, remote_size_, own_address(), across));
}

/// In one MPI job every rank can be reached without looking for it.
void Connection::link_proxies_by_mpi(rendezvous::Side side) {
  std::vector<rendezvous::Partner> partners;
  const int own_size = context_.comm.size();
  if (side == rendezvous::Side::provider) {
    partners.push_back({rendezvous::proxy_rank(context_.comm.rank(), own_size, remote_size_), {}});
  } else {
    const rendezvous::RankRange range =
        rendezvous::proxy_clients(context_.comm.rank(), remote_size_, own_size);
    for (int rank = range.first; rank < range.last; ++rank) {
      partners.push_back({rank, {}});
    }
  }
  link_here(partners);
}

std::vector<std::byte> Connection::own_address() const {
  return !joint_ ? encode(context_.endpoint->address()) : std::vector<std::byte>();
}

std::vector<std::byte> Connection::swap_bytes(transport::Kind kind, std::vector<std::byte> own) {
  std::vector<std::byte> other;
  comm::agree(context_.comm, [this, kind, &own, &other] {
    if (context_.comm.is_root()) {
      context_.hub.send(links_.at(0), kind, std::move(own));
      other = context_.hub.receive(links_.at(0), kind, context_.progress_timeout);
    }
  });
  comm::bcast(context_.comm, other);
  return other;
}

} // namespace isthmus::partner
