// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/partner_search.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/rendezvous/centralized.hpp"
#include "isthmus/rendezvous/proxies.hpp"
#include "isthmus/rendezvous/rendezvous.hpp"

namespace isthmus::partner {

namespace {

/// A single rank of the receiver exchanges with every rank of the provider.
std::vector<rendezvous::Partner> all_ranks(Connection& partner) {
  const comm::Comm& comm = partner.context().comm;
  const std::vector<std::byte> own = partner.own_address();
  const auto all = comm::gather(comm, std::span<const std::byte>(own));
  Writer writer;
  for (int r = 0; comm.is_root() && r < comm.size(); ++r) {
    writer.put_array(all.of(r));
  }
  const auto bytes = partner.swap(writer.take());
  Reader reader(bytes);
  std::vector<rendezvous::Partner> partners;
  for (int r = 0; r < partner.remote_size(); ++r) {
    partners.push_back({r, reader.get_array<std::byte>()});
  }
  return partners;
}

std::vector<rendezvous::Partner> by_rendezvous(Connection& partner, rendezvous::Side side,
                                               std::span<const geometry::Box> boxes) {
  const comm::Comm& comm = partner.context().comm;
  partner.link_proxies(side);
  AcrossLinks across(partner, transport::Kind::partners);
  return rendezvous::Rendezvous(comm, side, partner.remote_size(), across, boxes,
                                partner.own_address())
      .partners();
}

std::vector<int> link(Connection& partner, const std::vector<rendezvous::Partner>& found) {
  partner.link(found);
  std::vector<int> ranks;
  for (const rendezvous::Partner& one : found) {
    ranks.push_back(one.rank);
  }
  return ranks;
}

} // namespace

std::vector<int> find_partners(Connection& partner, rendezvous::Side side,
                               config::Initialization initialization,
                               std::span<const geometry::Box> boxes) {
  const auto scope = partner.context().trace.scope("partners");
  const comm::Comm& comm = partner.context().comm;
  const int receivers = side == rendezvous::Side::receiver ? comm.size() : partner.remote_size();
  if (receivers == 1) {
    return link(partner, all_ranks(partner));
  }
  if (initialization == config::Initialization::two_level) {
    AcrossLinks across(partner, transport::Kind::partners);
    return link(partner,
                rendezvous::two_level_partners(comm, side, across, boxes, partner.own_address()));
  }
  return link(partner, by_rendezvous(partner, side, boxes));
}

std::vector<int> find_partners_by_ids(Connection& partner, rendezvous::Side side,
                                      std::span<const GlobalIndex> ids) {
  const auto scope = partner.context().trace.scope("partners");
  AcrossLinks across(partner, transport::Kind::partners);
  return link(partner, rendezvous::one_level_partners(partner.context().comm, side, across, ids,
                                                      partner.own_address()));
}

} // namespace isthmus::partner
