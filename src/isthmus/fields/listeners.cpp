// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/listeners.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/rendezvous/proxies.hpp"

namespace isthmus::fields {

Listeners find_listeners(partner::Connection& partner, bool receives) {
  partner::Context& context = partner.context();
  const comm::Comm& comm = context.comm;
  const int remote = partner.remote_size();
  for (const bool first : {true, false}) { // the other side does it the other way round
    partner.link_proxies(first == partner.accepts() ? rendezvous::Side::provider
                                                    : rendezvous::Side::receiver);
  }
  Listeners listeners;
  const transport::LinkId proxy =
      partner.link_to(rendezvous::proxy_rank(comm.rank(), comm.size(), remote));
  Writer writer;
  writer.put(!receives);
  context.hub.send(proxy, transport::Kind::listeners, writer.take());
  if (!receives) {
    listeners.sources.push_back(proxy);
  }
  const rendezvous::RankRange clients = rendezvous::proxy_clients(comm.rank(), remote, comm.size());
  for (int rank = clients.first; rank < clients.last; ++rank) {
    const transport::LinkId link = partner.link_to(rank);
    const auto bytes =
        context.hub.receive(link, transport::Kind::listeners, context.progress_timeout);
    Reader reader(bytes);
    if (reader.get<bool>()) {
      listeners.targets.push_back(link);
    }
    reader.finish();
  }
  return listeners;
}

} // namespace isthmus::fields
