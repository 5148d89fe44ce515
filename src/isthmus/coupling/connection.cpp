// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/connection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"

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
  const comm::Announcement other =
      comm::find(m2n.exchange_directory, partner_, Deadline(context_.timeout), [&](double waited) {
        context_.hub.progress();
        if (waited > next_report) {
          context_.log.info("waiting for participant \"{}\" since {:.0f} s", partner_, waited);
          next_report = waited + 5;
        }
      });
  const comm::LinkId link = link_first(other, comm::watch(m2n.exchange_directory, other));
  links_[0] = link;
  comm::Writer writer;
  writer.put(context_.comm.size());
  context_.hub.send(link, comm::Kind::control, writer.take());
  const auto bytes = context_.hub.receive(link, comm::Kind::control, context_.patience);
  remote_size_ = comm::Reader(bytes).get<int>();
  const comm::Peer& peer = context_.hub.peer(link);
  context_.log.info(
      "connected with participant \"{}\" ({} rank{}, first rank pid {} on host {}) by {}", partner_,
      remote_size_, remote_size_ == 1 ? "" : "s", peer.pid, peer.host,
      context_.hub.transport(link));
}

/// Links the first ranks; `watch` throws if the partner gives up meanwhile, and says why.
comm::LinkId Connection::link_first(const comm::Announcement& other,
                                    const std::function<void()>& watch) {
  const Deadline deadline(context_.patience);
  if (accepts_) {
    token_ = context_.token;
    const int first = 0;
    return context_.endpoint.accept(context_.hub, partner_, std::span(&first, 1), token_, deadline,
                                    watch)[0];
  }
  token_ = other.token;
  try {
    return context_.endpoint.connect(context_.hub, other.address, partner_, 0, token_, deadline);
  } catch (const Error&) {
    watch();
    throw;
  }
}

void Connection::link(std::span<const Contact> contacts) {
  comm::agree(context_.comm, [this, contacts] {
    std::vector<int> ranks;
    std::vector<comm::Target> targets;
    for (const Contact& contact : contacts) {
      if (!links_.contains(contact.rank)) {
        ranks.push_back(contact.rank);
        comm::Reader reader(contact.address);
        targets.push_back({comm::get_address(reader), partner_, contact.rank});
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
  });
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
