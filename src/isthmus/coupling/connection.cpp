// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/connection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/announce.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"
#include "isthmus/coupling/backbone.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

std::vector<std::byte> encode(const comm::Address& address) {
  comm::Writer writer;
  comm::put(writer, address);
  return writer.take();
}

} // namespace

Connection::Connection(Context& context, const config::M2N& m2n, std::string partner)
    : context_(context), accepts_(m2n.connector == partner), partner_(std::move(partner)) {
  comm::agree(context_.comm, [this, &m2n] {
    if (context_.comm.is_root()) {
      meet(m2n);
    }
  });
  remote_size_ = comm::bcast(context_.comm, remote_size_);
  token_ = comm::bcast(context_.comm, token_);
}

/// The first ranks find each other by their announcements.
void Connection::meet(const config::M2N& m2n) {
  double next_report = 2;
  const comm::Announcement other = comm::find(
      m2n.exchange_directory, partner_, Deadline(context_.timeout), [&](double waited) {
        if (waited > next_report) {
          context_.log.info("waiting for participant \"{}\" since {:.0f} s", partner_, waited);
          next_report = waited + 5;
        }
      });
  comm::LinkId link = -1;
  if (accepts_) {
    token_ = context_.token;
    const auto look = [this, &other] {
      if (!comm::is_alive(other.address)) {
        fail("participant \"{}\" (pid {} on host {}) was there and has ended before it connected",
             partner_, other.address.pid, other.address.host);
      }
    };
    const int first = 0;
    link = context_.endpoint.accept(context_.hub, partner_, std::span(&first, 1), token_,
                                    Deadline(context_.patience), look)[0];
  } else {
    token_ = other.token;
    link = context_.endpoint.connect(context_.hub, other.address, partner_, 0, token_,
                                     Deadline(context_.patience));
  }
  links_[0] = link;
  comm::Writer writer;
  writer.put(context_.comm.size());
  context_.hub.send(link, comm::Kind::control, writer.take());
  const auto bytes = context_.hub.receive(link, comm::Kind::control, context_.patience);
  remote_size_ = comm::Reader(bytes).get<int>();
  const comm::Peer& peer = context_.hub.peer(link);
  context_.log.info("connected with participant \"{}\" ({} rank{}, first rank pid {} on host {}) by {}",
                    partner_, remote_size_, remote_size_ == 1 ? "" : "s", peer.pid, peer.host,
                    context_.hub.transport(link));
}

void Connection::link(std::span<const Partner> partners) {
  comm::agree(context_.comm, [this, partners] { link_here(partners); });
}

void Connection::link_here(std::span<const Partner> partners) {
  std::vector<int> ranks;
  std::vector<comm::Target> targets;
  for (const Partner& one : partners) {
    if (!links_.contains(one.rank)) {
      ranks.push_back(one.rank);
      comm::Reader reader(one.address);
      targets.push_back({comm::get_address(reader), partner_, one.rank});
    }
  }
  if (ranks.empty()) {
    return;
  }
  const Deadline deadline(context_.patience);
  const std::vector<comm::LinkId> made =
      accepts_ ? context_.endpoint.accept(context_.hub, partner_, ranks, token_, deadline)
               : context_.endpoint.connect(context_.hub, targets, token_, deadline);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    links_[ranks[i]] = made[i];
  }
}

void Connection::link_backbone(Side side) {
  if (!backbones_.insert(side).second) {
    return;
  }
  const Across across{[this](int rank, std::vector<std::byte> bytes) {
                        context_.hub.send(link_to(rank), comm::Kind::addresses, std::move(bytes));
                      },
                      [this](int rank) {
                        return context_.hub.receive(link_to(rank), comm::Kind::addresses,
                                                    context_.patience);
                      }};
  static_cast<void>(coupling::link_backbone(
      context_.comm, side, remote_size_, own_address(), across,
      [this](const Partner& one) { link_here(std::span(&one, 1)); }));
}

std::vector<std::byte> Connection::own_address() const {
  return encode(context_.endpoint.address());
}

std::vector<std::byte> Connection::swap(std::vector<std::byte> own) {
  std::vector<std::byte> other;
  comm::agree(context_.comm, [this, &own, &other] {
    if (context_.comm.is_root()) {
      context_.hub.send(links_.at(0), comm::Kind::control, std::move(own));
      other = context_.hub.receive(links_.at(0), comm::Kind::control, context_.patience);
    }
  });
  comm::bcast(context_.comm, other);
  return other;
}

} // namespace isthmus::coupling
