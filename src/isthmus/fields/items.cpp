// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/items.hpp"

#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/named.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace isthmus::fields {

namespace {

/// The position of the use through which `writer` writes `data` on the received mesh.
std::size_t writing_use(const protocol::MeshRelation& relation, const config::Participant& writer,
                        const std::string& data) {
  const auto found = std::find_if(relation.uses.begin(), relation.uses.end(),
                                  [&](const protocol::MappingUse& use) {
                                    return use.writes && writer.writes(data, use.own_mesh);
                                  });
  return static_cast<std::size_t>(found - relation.uses.begin());
}

/// Whether values go by a relation to the provider of its mesh.
bool brings(const protocol::MeshRelation& relation, const std::string& provider) {
  return relation.provider == provider && !relation.uses.empty();
}

LocalIndex total(const std::vector<planning::Route>& routes) {
  return std::accumulate(
      routes.begin(), routes.end(), LocalIndex{0},
      [](LocalIndex sum, const planning::Route& route) { return sum + route.count; });
}

/// The same for a field that begins `by` vertices later.
std::vector<planning::Route> moved(std::vector<planning::Route> routes, LocalIndex by) {
  for (planning::Route& route : routes) {
    route.first += by;
    for (LocalIndex& vertex : route.vertices) {
      vertex += by;
    }
  }
  return routes;
}

const std::vector<planning::Route> no_routes;

} // namespace

std::vector<Item> Items::of(const config::Exchange& exchange) {
  std::vector<Item> items = made(exchange);
  if (items.empty()) {
    items.push_back(self_.provides(exchange.mesh) ? provided(exchange) : received(exchange));
  }
  for (Item& item : items) {
    item.field = &fields_.at(exchange.mesh, exchange.data);
    item.all_samples = exchange.substeps;
  }
  return items;
}

void Items::finish() {
  for (planning::ReceivedRelation& received : plans_.received) {
    received.is_new = false;
  }
}

/// What actions of the sender make, on a mesh that it receives, of mapped data: what comes of each
/// mapping travels by itself, and the provider of the mesh adds up. None if the data come in
/// another way.
std::vector<Item> Items::made(const config::Exchange& exchange) {
  const config::Participant& writer = config::participant_named(exchange.from, participants_);
  const bool sends = exchange.from == self_.name;
  const auto* const at_sender = sends ? plans_.find_received(exchange.mesh) : nullptr;
  const auto* const at_provider =
      sends ? nullptr : plans_.find_provided(exchange.mesh, exchange.from);
  if ((at_sender == nullptr && at_provider == nullptr) ||
      !config::is_made(writer, exchange.data, exchange.mesh)) {
    return {};
  }
  const protocol::MeshRelation& relation = sends ? *at_sender->relation : *at_provider->relation;
  if (!brings(relation, exchange.to)) {
    return {};
  }
  const Field& field = fields_.at(exchange.mesh, exchange.data);
  std::vector<Item> items;
  std::set<std::size_t> uses;
  for (const std::string& origin : config::origins(writer, exchange.data, exchange.mesh)) {
    const std::size_t use = writing_use(relation, writer, origin);
    if (!uses.insert(use).second) {
      continue; // it comes with another one
    }
    Item& item = items.emplace_back();
    item.adds = true;
    if (sends) {
      const auto parts = field.parts();
      const auto part = std::find_if(parts.begin(), parts.end(),
                                     [use](const Field::Part& one) { return one.use == use; });
      item.routes = &made_routes_[{&field, use}];
      made_routes_[{&field, use}] = moved(at_sender->plan.mappings[use].routes, part->first);
    } else {
      item.routes = &at_provider->plan.write[use];
    }
  }
  return items;
}

Item Items::provided(const config::Exchange& exchange) const {
  const bool outgoing = exchange.from == self_.name;
  const std::string& partner = outgoing ? exchange.to : exchange.from;
  const planning::ProvidedRelation* provided = plans_.find_provided(exchange.mesh, partner);
  Item item;
  item.routes = &no_routes;
  if (provided != nullptr && outgoing) {
    item.routes = &provided->plan.read;
  } else if (provided != nullptr) {
    const std::size_t use = writing_use(
        *provided->relation, config::participant_named(partner, participants_), exchange.data);
    if (use < provided->plan.write.size()) {
      item.routes = &provided->plan.write[use];
    }
  }
  const Field& field = fields_.at(exchange.mesh, exchange.data);
  item.covered =
      static_cast<std::size_t>(total(*item.routes)) * static_cast<std::size_t>(field.width()) ==
      field.wave().size();
  return item;
}

Item Items::received(const config::Exchange& exchange) {
  const bool outgoing = exchange.from == self_.name;
  const planning::ReceivedRelation* received = plans_.find_received(exchange.mesh);
  Item item;
  item.routes = &no_routes;
  item.covered = true; // ghosts are numbered by the routes
  if (received != nullptr && outgoing) {
    const std::size_t use = writing_use(*received->relation, self_, exchange.data);
    if (use < received->plan.mappings.size()) {
      item.routes = &received->plan.mappings[use].routes;
    }
    const bool is_whole = received->plan.is_whole;
    fields_.at(exchange.mesh, exchange.data)
        .mark_ghosts({}, is_whole ? received->plan.num_transferred : 0);
  } else if (received != nullptr) {
    item.routes = &received->plan.read;
    Field& field = fields_.at(exchange.mesh, exchange.data);
    field.join({}); // whatever an action would make of it
    if (received->is_new) {
      field.resize(received->plan.num_read);
    } else {
      field.fit(received->plan.num_read);
    }
    field.mark_ghosts(received->plan.read_by_lower);
  }
  return item;
}

} // namespace isthmus::fields
