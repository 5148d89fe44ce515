// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/listeners.hpp"

#include "isthmus/comm/wire.hpp"
#include "isthmus/coupling/backbone.hpp"

namespace isthmus::coupling {

Listeners find_listeners(Connection& partner, bool hears) {
  Context& context = partner.context();
  const comm::Comm& comm = context.comm;
  const int remote = partner.remote_size();
  for (const bool first : {true, false}) { // the other side does it the other way round
    partner.link_backbone(first == partner.accepts() ? Side::provider : Side::receiver);
  }
  Listeners listeners;
  const comm::LinkId speaker = partner.link_to(backbone_partner(comm.rank(), comm.size(), remote));
  comm::Writer writer;
  writer.put(!hears);
  context.hub.send(speaker, comm::Kind::partners, writer.take());
  if (!hears) {
    listeners.heard.push_back(speaker);
  }
  const RankRange children = backbone_children(comm.rank(), remote, comm.size());
  for (int rank = children.first; rank < children.last; ++rank) {
    const comm::LinkId link = partner.link_to(rank);
    const auto bytes = context.hub.receive(link, comm::Kind::partners, context.patience);
    if (comm::Reader(bytes).get<bool>()) {
      listeners.told.push_back(link);
    }
  }
  return listeners;
}

} // namespace isthmus::coupling
