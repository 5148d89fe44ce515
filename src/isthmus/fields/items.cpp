// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/items.hpp"

#include "isthmus/config/mapped_data.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::fields {

namespace {

/// The position of the use through which `writer` writes `data` on the received mesh.
std::size_t writing_use(const transfer::MeshRelation& relation, const config::Participant& writer,
                        const std::string& data) {
  const auto found = std::find_if(relation.uses.begin(), relation.uses.end(),
                                  [&](const transfer::MappingUse& use) {
                                    return use.writes && writer.writes(data, use.own_mesh);
                                  });
  return static_cast<std::size_t>(found - relation.uses.begin());
}

/// Whether values go by a relation to the provider of its mesh.
bool brings(const transfer::MeshRelation& relation, const std::string& provider) {
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

const config::Participant& Items::participant(const std::string& name) const {
  return *std::find_if(participants_.begin(), participants_.end(),
                       [&name](const config::Participant& one) { return one.name == name; });
}

/// What an action of the sender makes, on a mesh that it receives, of mapped data. Mappings reach
/// different vertices, so the field holds what comes of each of them one after the other, and the
/// provider of the mesh adds up. None if the data come in another way.
std::vector<Item> Items::made(const config::Exchange& exchange) {
  const config::Participant& writer = participant(exchange.from);
  const config::Action* action = config::made_by(writer, exchange.data, exchange.mesh);
  const bool sends = exchange.from == self_.name;
  const auto* const at_sender = sends ? plans_.find_received(exchange.mesh) : nullptr;
  const auto* const at_provider =
      sends ? nullptr : plans_.find_provided(exchange.mesh, exchange.from);
  if (action == nullptr || (at_sender == nullptr && at_provider == nullptr)) {
    return {};
  }
  const transfer::MeshRelation& relation = sends ? *at_sender->relation : *at_provider->relation;
  if (!brings(relation, exchange.to)) {
    return {};
  }
  Field& field = fields_.at(exchange.mesh, exchange.data);
  std::vector<Item> items;
  std::map<std::size_t, LocalIndex> begins; // by use
  std::vector<Field::Part> parts;
  LocalIndex size = 0;
  for (const std::string& source : action->source_data) {
    const std::size_t use = writing_use(relation, writer, source);
    if (use == relation.uses.size()) {
      continue; // nobody brings it
    }
    const bool is_new = begins.emplace(use, size).second;
    if (is_new) {
      Item& item = items.emplace_back();
      item.adds = true;
      item.routes = sends ? &made_routes_[{&field, use}] : &at_provider->plan.write[use];
    }
    if (sends) {
      const planning::PlannedMapping& plan = at_sender->plan.mappings[use];
      if (is_new) {
        made_routes_[{&field, use}] = moved(plan.routes, size);
        size += plan.rows.num_rows();
      }
      parts.push_back({&fields_.at(exchange.mesh, source), begins.at(use)});
    }
  }
  if (sends) {
    field.join(std::move(parts));
    field.fit(size);
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
    const std::size_t use = writing_use(*provided->relation, participant(partner), exchange.data);
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

Item Items::received(const config::Exchange& exchange) const {
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
  } else if (received != nullptr) {
    item.routes = &received->plan.read;
    Field& field = fields_.at(exchange.mesh, exchange.data);
    if (received->is_new) {
      field.resize(received->plan.num_read);
    } else {
      field.fit(received->plan.num_read);
    }
    field.mark_ghosts(received->plan.shared);
  }
  return item;
}

} // namespace isthmus::fields
