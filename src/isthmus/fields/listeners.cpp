// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/listeners.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/rendezvous/backbone.hpp"

namespace isthmus::fields {

Listeners find_listeners(partner::Connection& partner, bool hears) {
  partner::Context& context = partner.context();
  const comm::Comm& comm = context.comm;
  const int remote = partner.remote_size();
  for (const bool first : {true, false}) { // the other side does it the other way round
    partner.link_backbone(first == partner.accepts() ? rendezvous::Side::provider
                                                     : rendezvous::Side::receiver);
  }
  Listeners listeners;
  const transport::LinkId speaker =
      partner.link_to(rendezvous::backbone_partner(comm.rank(), comm.size(), remote));
  Writer writer;
  writer.put(!hears);
  context.hub.send(speaker, transport::Kind::partners, writer.take());
  if (!hears) {
    listeners.heard.push_back(speaker);
  }
  const rendezvous::RankRange children =
      rendezvous::backbone_children(comm.rank(), remote, comm.size());
  for (int rank = children.first; rank < children.last; ++rank) {
    const transport::LinkId link = partner.link_to(rank);
    const auto bytes = context.hub.receive(link, transport::Kind::partners, context.patience);
    if (Reader(bytes).get<bool>()) {
      listeners.told.push_back(link);
    }
  }
  return listeners;
}

} // namespace isthmus::fields
