// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/connection.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/connect/joint.hpp"
#include "isthmus/partner/first_contact.hpp"
#include "isthmus/rendezvous/proxies.hpp"

namespace isthmus::partner {

namespace {

std::vector<std::byte> encode(const connect::Address& address) {
  Writer writer;
  connect::put(writer, address);
  return writer.take();
}

} // namespace

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
    join_jobs();
  }
}

/// What can fail on one rank alone comes before the ranks of both sides wait for each other in MPI,
/// where nothing ends a wait.
void Connection::join_jobs() {
  std::vector<int> own;
  std::vector<int> others;
  comm::agree(context_.comm, [this, &own] { own = connect::world_ranks(context_.comm); });
  Writer writer;
  writer.put_array(own);
  const auto bytes = swap(writer.take());
  comm::agree(context_.comm, [this, &own, &others, &bytes] {
    others = Reader(bytes).get_array<int>();
    joint_.emplace(partner_, static_cast<int>(others.size()),
                   accepts_ ? static_cast<int>(own.size()) : 0);
  });
  static_cast<void>(swap({})); // all ranks of both sides have come so far
  joint_->join(accepts_ ? own : others, accepts_ ? others : own);
  if (context_.comm.is_root()) {
    links_[0] =
        joint_->link(context_.hub, 0); // the first ranks' connection stays to notice a crash
  }
}

void Connection::link(std::span<const rendezvous::Partner> partners) {
  comm::agree(context_.comm, [this, partners] { link_here(partners); });
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
  const std::vector<transport::LinkId> made =
      accepts_ ? context_.endpoint->accept(context_.hub, partner_, ranks, token_, deadline)
               : context_.endpoint->connect(context_.hub, targets, token_, deadline);
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
  AcrossLinks across(*this, transport::Kind::addresses);
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

std::vector<std::byte> Connection::swap(std::vector<std::byte> own) {
  std::vector<std::byte> other;
  comm::agree(context_.comm, [this, &own, &other] {
    if (context_.comm.is_root()) {
      context_.hub.send(links_.at(0), transport::Kind::control, std::move(own));
      other =
          context_.hub.receive(links_.at(0), transport::Kind::control, context_.progress_timeout);
    }
  });
  comm::bcast(context_.comm, other);
  return other;
}

void AcrossLinks::send(int remote_rank, std::vector<std::byte> bytes) {
  partner_.context().hub.send(partner_.link_to(remote_rank), kind_, std::move(bytes));
}

std::vector<std::byte> AcrossLinks::receive(int remote_rank) {
  Context& context = partner_.context();
  return context.hub.receive(partner_.link_to(remote_rank), kind_, context.progress_timeout);
}

} // namespace isthmus::partner
