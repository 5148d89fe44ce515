// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/partner_search.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"
#include "isthmus/coupling/backbone.hpp"
#include "isthmus/coupling/baselines.hpp"
#include "isthmus/coupling/discovery.hpp"

namespace isthmus::coupling {

namespace {

Across across(Connection& partner) {
  Context& context = partner.context();
  return {[&partner, &context](int rank, std::vector<std::byte> bytes) {
            context.hub.send(partner.link_to(rank), comm::Kind::partners, std::move(bytes));
          },
          [&partner, &context](int rank) {
            return context.hub.receive(partner.link_to(rank), comm::Kind::partners,
                                       context.patience);
          }};
}

/// A single rank of the receiver exchanges with every rank of the provider.
std::vector<Partner> all_ranks(Connection& partner) {
  const comm::Comm& comm = partner.context().comm;
  const std::vector<std::byte> own = partner.own_address();
  const auto all = comm::gather(comm, std::span<const std::byte>(own));
  comm::Writer writer;
  for (int r = 0; comm.is_root() && r < comm.size(); ++r) {
    writer.put_array(all.of(r));
  }
  const auto bytes = partner.swap(writer.take());
  comm::Reader reader(bytes);
  std::vector<Partner> partners;
  for (int r = 0; r < partner.remote_size(); ++r) {
    partners.push_back({r, reader.get_array<std::byte>()});
  }
  return partners;
}

std::vector<Partner> by_rendezvous(Connection& partner, Side side,
                                   std::span<const geometry::Box> boxes) {
  const comm::Comm& comm = partner.context().comm;
  partner.link_backbone(side);
  return Relation(comm, side, partner.remote_size(), across(partner), boxes, partner.own_address())
      .partners();
}

std::vector<int> link(Connection& partner, const std::vector<Partner>& found) {
  partner.link(found);
  std::vector<int> ranks;
  for (const Partner& one : found) {
    ranks.push_back(one.rank);
  }
  return ranks;
}

} // namespace

std::vector<int> find_partners(Connection& partner, Side side,
                               config::Initialization initialization,
                               std::span<const geometry::Box> boxes) {
  const auto scope = partner.context().trace.scope("partners");
  const comm::Comm& comm = partner.context().comm;
  const int receivers = side == Side::receiver ? comm.size() : partner.remote_size();
  if (receivers == 1) {
    return link(partner, all_ranks(partner));
  }
  if (initialization == config::Initialization::two_level) {
    return link(partner,
                two_level_partners(comm, side, across(partner), boxes, partner.own_address()));
  }
  return link(partner, by_rendezvous(partner, side, boxes));
}

std::vector<int> find_partners_by_ids(Connection& partner, Side side,
                                      std::span<const GlobalIndex> ids) {
  const auto scope = partner.context().trace.scope("partners");
  return link(partner, one_level_partners(partner.context().comm, side, across(partner), ids,
                                          partner.own_address()));
}

} // namespace isthmus::coupling
