// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/wiring.hpp"

#include "isthmus/config/mapped_data.hpp"
#include "isthmus/planning/automatic_mapping.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::fields {

namespace {

bool lists(const std::vector<config::UseData>& uses, const std::string& data,
           const std::string& mesh) {
  return std::any_of(uses.begin(), uses.end(), [&data, &mesh](const config::UseData& use) {
    return use.name == data && use.mesh == mesh;
  });
}

/// The position of the use through which `writer` writes `data` on the received mesh.
std::size_t writing_use(const transfer::MeshRelation& relation, const config::Participant& writer,
                        const std::string& data) {
  const auto found = std::find_if(relation.uses.begin(), relation.uses.end(),
                                  [&](const transfer::MappingUse& use) {
                                    return use.writes && lists(writer.written, data, use.own_mesh);
                                  });
  return static_cast<std::size_t>(found - relation.uses.begin());
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

Wiring::Wiring(const config::Configuration& configuration, const config::Participant& self,
               FieldSet& fields)
    : configuration_(configuration),
      self_(self),
      fields_(fields),
      relations_(transfer::mesh_relations(configuration)) {}

void Wiring::plan(const std::function<partner::Connection&(const std::string&)>& connection_to,
                  const planning::Inputs& inputs) {
  for (transfer::MeshRelation& relation : relations_) {
    const bool provides = relation.provider == self_.name;
    if (!relation.uses.empty() && (provides || relation.receiver == self_.name)) {
      planning::choose_mappings(connection_to(provides ? relation.receiver : relation.provider),
                                relation, provides, inputs.meshes, chosen_);
    }
    if (provides) {
      provided_.push_back({&relation, {}, {}});
      if (!relation.uses.empty()) {
        planning::provide_mesh(connection_to(relation.receiver), inputs.meshes.at(relation.mesh),
                               provided_.back());
      }
    } else if (relation.receiver == self_.name) {
      received_.push_back({{&relation, {}, {}}, false});
      if (!relation.uses.empty()) {
        planning::receive_mesh(connection_to(relation.provider), inputs, received_.back());
      }
      list_mappings(received_.back());
      size_fields(received_.back());
    }
  }
}

void Wiring::size_fields(const Received& received) {
  const config::Mesh& mesh = *configuration_.find_mesh(received.relation->mesh);
  for (const std::string& data : mesh.data) {
    Field& field = fields_.of_solver(mesh.name, data);
    if (&field != &fields_.at(mesh.name, data)) {
      field.resize(received.plan.accessed.mesh.num_vertices());
    }
  }
  for (const FieldMapping& mapping : write_mappings_) {
    if (mapping.to->mesh() == mesh.name) {
      mapping.to->resize(mapping.plan->rows.num_rows());
    }
  }
}

void Wiring::list_mappings(Received& received) {
  const config::Mesh& mesh = *configuration_.find_mesh(received.relation->mesh);
  for (planning::PlannedMapping& plan : received.plan.mappings) {
    for (const std::string& data : mesh.data) {
      const std::string& own = plan.use->own_mesh;
      if (plan.use->writes && lists(self_.written, data, own)) {
        write_mappings_.push_back(
            {&plan, &fields_.of_solver(own, data), &fields_.at(mesh.name, data)});
      } else if (!plan.use->writes && lists(self_.read, data, own)) {
        read_mappings_.push_back(
            {&plan, &fields_.at(mesh.name, data), &fields_.of_solver(own, data)});
      }
    }
  }
}

const planning::Accessed* Wiring::accessed(std::string_view mesh) const {
  for (const Received& received : received_) {
    const bool direct = std::any_of(received.relation->uses.begin(), received.relation->uses.end(),
                                    [](const transfer::MappingUse& use) { return use.direct; });
    if (direct && received.relation->mesh == mesh) {
      return &received.plan.accessed;
    }
  }
  return nullptr;
}

const Wiring::Received* Wiring::find_received(const std::string& mesh) const {
  const auto found =
      std::find_if(received_.begin(), received_.end(),
                   [&mesh](const auto& received) { return received.relation->mesh == mesh; });
  return found == received_.end() ? nullptr : &*found;
}

const planning::HeldMesh* Wiring::held(const std::string& mesh) const {
  const Received* received = find_received(mesh);
  return received != nullptr && received->plan.held ? &*received->plan.held : nullptr;
}

std::vector<LocalIndex> Wiring::vertices_of(const Field& field) const {
  if (!field.parts().empty()) {
    std::vector<LocalIndex> all;
    for (const Field::Part& part : field.parts()) {
      if (static_cast<std::size_t>(part.first) == all.size()) { // else with an earlier one
        const auto some = vertices_of(*part.of);
        all.insert(all.end(), some.begin(), some.end());
      }
    }
    return all;
  }
  const Received& received = *find_received(field.mesh());
  const planning::HeldMesh& held = *received.plan.held;
  for (const FieldMapping& mapping : write_mappings_) {
    if (mapping.to == &field) {
      return held.written[static_cast<std::size_t>(mapping.plan - received.plan.mappings.data())];
    }
  }
  return held.read;
}

std::vector<double> Wiring::coordinates_of(const Field& field, bool accessed) const {
  std::vector<double> places;
  const Received* received = find_received(field.mesh());
  if (accessed) {
    const auto all = received->plan.accessed.mesh.coordinates();
    places.assign(all.begin(), all.end());
  } else if (received->plan.held) {
    for (const LocalIndex vertex : vertices_of(field)) {
      const auto place = received->plan.held->mesh.vertex(vertex);
      places.insert(places.end(), place.begin(), place.end());
    }
  }
  return places;
}

std::vector<Item> Wiring::items(const config::Exchange& exchange) {
  std::vector<Item> items = made_items(exchange);
  if (items.empty()) {
    items.push_back(self_.provides(exchange.mesh) ? provided_item(exchange)
                                                  : received_item(exchange));
  }
  for (Item& item : items) {
    item.field = &fields_.at(exchange.mesh, exchange.data);
    item.all_samples = exchange.substeps;
  }
  return items;
}

const transfer::MeshRelation* Wiring::find_relation(const config::Exchange& exchange) const {
  const auto found = std::find_if(
      relations_.begin(), relations_.end(), [&exchange](const transfer::MeshRelation& one) {
        return one.mesh == exchange.mesh &&
               ((one.provider == exchange.to && one.receiver == exchange.from) ||
                (one.provider == exchange.from && one.receiver == exchange.to));
      });
  return found == relations_.end() ? nullptr : &*found;
}

const Wiring::Provided* Wiring::find_provided(const transfer::MeshRelation& relation) const {
  const auto found =
      std::find_if(provided_.begin(), provided_.end(),
                   [&relation](const Provided& one) { return one.relation == &relation; });
  return found == provided_.end() ? nullptr : &*found;
}

/// What an action of the sender makes, on a mesh that it receives, of mapped data. Mappings reach
/// different vertices, so the field holds what comes of each of them one after the other, and the
/// provider of the mesh adds up. None if the data come in another way.
std::vector<Item> Wiring::made_items(const config::Exchange& exchange) {
  const config::Participant& writer = *configuration_.find_participant(exchange.from);
  const config::Action* made = config::made_by(writer, exchange.data, exchange.mesh);
  const transfer::MeshRelation* relation = find_relation(exchange);
  if (made == nullptr || relation == nullptr || relation->uses.empty()) {
    return {};
  }
  const bool sends = exchange.from == self_.name;
  Field& field = fields_.at(exchange.mesh, exchange.data);
  std::vector<Item> items;
  std::map<std::size_t, LocalIndex> begins; // by use
  std::vector<Field::Part> parts;
  LocalIndex size = 0;
  for (const std::string& source : made->source_data) {
    const std::size_t use = writing_use(*relation, writer, source);
    if (use == relation->uses.size()) {
      continue; // nobody brings it
    }
    const bool is_new = begins.emplace(use, size).second;
    if (is_new) {
      Item& item = items.emplace_back();
      item.adds = true;
      item.routes =
          sends ? &made_routes_[{&field, use}] : &find_provided(*relation)->plan.write[use];
    }
    if (sends) {
      const planning::PlannedMapping& plan = find_received(exchange.mesh)->plan.mappings[use];
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

Item Wiring::provided_item(const config::Exchange& exchange) {
  const bool outgoing = exchange.from == self_.name;
  const std::string& partner = outgoing ? exchange.to : exchange.from;
  Item item;
  item.routes = &no_routes;
  for (const Provided& provided : provided_) {
    if (provided.relation->mesh != exchange.mesh || provided.relation->receiver != partner ||
        provided.relation->uses.empty()) {
      continue;
    }
    if (outgoing) {
      item.routes = &provided.plan.read;
      continue;
    }
    const std::size_t use =
        writing_use(*provided.relation, *configuration_.find_participant(partner), exchange.data);
    if (use < provided.plan.write.size()) {
      item.routes = &provided.plan.write[use];
    }
  }
  const Field& field = fields_.at(exchange.mesh, exchange.data);
  item.covered =
      static_cast<std::size_t>(total(*item.routes)) * static_cast<std::size_t>(field.width()) ==
      field.wave().size();
  return item;
}

Item Wiring::received_item(const config::Exchange& exchange) {
  const bool outgoing = exchange.from == self_.name;
  Item item;
  item.routes = &no_routes;
  item.covered = true; // ghosts are numbered by the routes
  for (const Received& received : received_) {
    if (received.relation->mesh != exchange.mesh) {
      continue;
    }
    if (!outgoing) {
      item.routes = &received.plan.read;
      Field& field = fields_.at(exchange.mesh, exchange.data);
      if (received.is_renewed) {
        field.resize(received.plan.num_read);
      } else {
        field.fit(received.plan.num_read);
      }
      field.mark_ghosts(received.plan.shared);
      continue;
    }
    const std::size_t use = writing_use(*received.relation, self_, exchange.data);
    if (use < received.plan.mappings.size()) {
      item.routes = &received.plan.mappings[use].routes;
    }
  }
  return item;
}

} // namespace isthmus::fields
