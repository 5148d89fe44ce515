// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/field_set.hpp"

namespace isthmus::coupling {

FieldSet::FieldSet(const config::Configuration& configuration,
                   const config::Participant& participant) {
  const auto add_mesh = [&configuration](Fields& fields, const std::string& name) {
    const config::Mesh& mesh = *configuration.find_mesh(name);
    for (const std::string& data_name : mesh.data) {
      const config::Data& data = *configuration.find_data(data_name);
      fields.emplace(std::pair(name, data_name),
                     std::make_unique<Field>(name, data_name, data.vector ? mesh.dimensions : 1,
                                             data.waveform_degree));
    }
  };
  for (const config::ProvideMesh& mesh : participant.provided) {
    add_mesh(fields_, mesh.name);
  }
  for (const config::ReceiveMesh& mesh : participant.received) {
    add_mesh(fields_, mesh.name);
    if (mesh.api_access) {
      add_mesh(accessed_, mesh.name);
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

bool FieldSet::is_accessed(const Field& field) const {
  const auto found = accessed_.find({field.mesh(), field.data()});
  return found != accessed_.end() && found->second.get() == &field;
}

Field& FieldSet::of_solver(const std::string& mesh, const std::string& data) const {
  const auto found = accessed_.find({mesh, data});
  return found == accessed_.end() ? at(mesh, data) : *found->second;
}

} // namespace isthmus::coupling
