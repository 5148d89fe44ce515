// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/declared_fields.hpp"

#include "isthmus/config/mapped_data.hpp"

#include <algorithm>

namespace isthmus::config {

bool needs_gradients(const Configuration& configuration, const std::string& mesh,
                     const std::string& data) {
  const auto takes = [&](const Participant& participant, const Mapping& mapping) {
    const bool writes = mapping.direction == Direction::write;
    const auto& uses = writes ? participant.written : participant.read;
    const std::string& own = writes ? mapping.from : mapping.to;
    const bool takes_any =
        mapping.kind == MappingKind::nearest_neighbor_gradient || mapping.gradients;
    // data that lives on both meshes of a mapping may come to the second one in another way
    return takes_any && mapping.from == mesh &&
           (writes || arrives(configuration, participant.name, data, mesh)) &&
           std::any_of(uses.begin(), uses.end(),
                       [&](const UseData& use) { return use.name == data && use.mesh == own; });
  };
  return std::any_of(configuration.participants.begin(), configuration.participants.end(),
                     [&takes](const Participant& participant) {
                       return std::any_of(participant.mappings.begin(), participant.mappings.end(),
                                          [&](const auto& m) { return takes(participant, m); });
                     });
}

std::vector<DeclaredField> declared_fields(const Configuration& configuration,
                                           const Participant& participant) {
  std::vector<DeclaredField> fields;
  const auto add_mesh = [&](const std::string& name, bool is_accessed) {
    const Mesh& mesh = *configuration.find_mesh(name);
    for (const std::string& data_name : mesh.data) {
      const Data& data = *configuration.find_data(data_name);
      const bool gradients = !is_accessed && needs_gradients(configuration, name, data_name);
      fields.push_back({name, data_name, data.vector ? mesh.dimensions : 1, data.waveform_degree,
                        gradients ? mesh.dimensions : 0, is_accessed});
    }
  };
  for (const ProvideMesh& mesh : participant.provided) {
    add_mesh(mesh.name, false);
  }
  for (const ReceiveMesh& mesh : participant.received) {
    add_mesh(mesh.name, false);
    if (mesh.api_access) {
      add_mesh(mesh.name, true);
    }
  }
  return fields;
}

} // namespace isthmus::config
