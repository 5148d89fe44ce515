// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field_set.hpp"

#include <algorithm>

namespace isthmus::fields {

namespace {

/// Data that lives on both meshes of a mapping may come to the second one in another way.
bool arrives(const config::Configuration& configuration, const std::string& participant,
             const std::string& mesh, const std::string& data) {
  const auto& schemes = configuration.schemes;
  return std::any_of(schemes.begin(), schemes.end(), [&](const config::CouplingScheme& scheme) {
    return std::any_of(
        scheme.exchanges.begin(), scheme.exchanges.end(), [&](const config::Exchange& exchange) {
          return exchange.data == data && exchange.mesh == mesh && exchange.to == participant;
        });
  });
}

} // namespace

bool needs_gradients(const config::Configuration& configuration, const std::string& mesh,
                     const std::string& data) {
  const auto takes = [&](const config::Participant& participant, const config::Mapping& mapping) {
    const bool writes = mapping.direction == config::Direction::write;
    const auto& uses = writes ? participant.written : participant.read;
    const std::string& own = writes ? mapping.from : mapping.to;
    const bool takes_any =
        mapping.kind == config::MappingKind::nearest_neighbor_gradient || mapping.gradients;
    return takes_any && mapping.from == mesh &&
           (writes || arrives(configuration, participant.name, mesh, data)) &&
           std::any_of(uses.begin(), uses.end(), [&](const config::UseData& use) {
             return use.name == data && use.mesh == own;
           });
  };
  return std::any_of(configuration.participants.begin(), configuration.participants.end(),
                     [&takes](const config::Participant& participant) {
                       return std::any_of(participant.mappings.begin(), participant.mappings.end(),
                                          [&](const auto& m) { return takes(participant, m); });
                     });
}

FieldSet::FieldSet(const config::Configuration& configuration,
                   const config::Participant& participant) {
  const auto add_mesh = [&](Fields& fields, const std::string& name, bool travels) {
    const config::Mesh& mesh = *configuration.find_mesh(name);
    for (const std::string& data_name : mesh.data) {
      const config::Data& data = *configuration.find_data(data_name);
      const bool gradients = travels && needs_gradients(configuration, name, data_name);
      fields.emplace(
          std::pair(name, data_name),
          std::make_unique<Field>(name, data_name, data.vector ? mesh.dimensions : 1,
                                  data.waveform_degree, gradients ? mesh.dimensions : 0));
    }
  };
  for (const config::ProvideMesh& mesh : participant.provided) {
    add_mesh(fields_, mesh.name, true);
  }
  for (const config::ReceiveMesh& mesh : participant.received) {
    add_mesh(fields_, mesh.name, true);
    if (mesh.api_access) {
      add_mesh(accessed_, mesh.name, false);
    }
  }
}

Field* FieldSet::find(const std::string& mesh, const std::string& data) const {
  const auto found = fields_.find({mesh, data});
  return found == fields_.end() ? nullptr : found->second.get();
}

Field& FieldSet::at(const std::string& mesh, const std::string& data) const {
  return *fields_.at({mesh, data});
}

std::vector<Field*> FieldSet::all() const {
  std::vector<Field*> all;
  for (const Fields* fields : {&fields_, &accessed_}) {
    for (const auto& [name, field] : *fields) {
      all.push_back(field.get());
    }
  }
  return all;
}

std::vector<Field*> FieldSet::on(const std::string& mesh) const {
  std::vector<Field*> found = all();
  std::erase_if(found, [&mesh](const Field* field) { return field->mesh() != mesh; });
  return found;
}

bool FieldSet::is_accessed(const Field& field) const {
  const auto found = accessed_.find({field.mesh(), field.data()});
  return found != accessed_.end() && found->second.get() == &field;
}

Field& FieldSet::of_solver(const std::string& mesh, const std::string& data) const {
  const auto found = accessed_.find({mesh, data});
  return found == accessed_.end() ? at(mesh, data) : *found->second;
}

} // namespace isthmus::fields
