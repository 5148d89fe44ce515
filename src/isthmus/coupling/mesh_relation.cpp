// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/mesh_relation.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

bool needs_elements(config::MappingKind kind) {
  return kind == config::MappingKind::nearest_projection ||
         kind == config::MappingKind::linear_cell_interpolation;
}

/// The mesh on which a mapping looks for the place of the other mesh's vertices.
const std::string& searched_mesh(const config::Mapping& mapping) {
  return mapping.constraint == config::Constraint::conservative ? mapping.to : mapping.from;
}

MappingUse use_of(const config::Mapping& mapping, const std::string& received) {
  MappingUse use;
  use.mapping = &mapping;
  use.writes = mapping.to == received;
  use.own_mesh = use.writes ? mapping.from : mapping.to;
  use.searches_received = searched_mesh(mapping) == received;
  use.needs_connectivity = needs_elements(mapping.kind);
  use.needs_whole_mesh = mapping.radial_basis();
  return use;
}

} // namespace

bool MeshRelation::sends_connectivity() const {
  return std::any_of(uses.begin(), uses.end(), [](const MappingUse& use) {
    return use.searches_received && use.needs_connectivity;
  });
}

bool MeshRelation::sends_everything() const {
  return std::any_of(uses.begin(), uses.end(),
                     [](const MappingUse& use) { return use.needs_whole_mesh; });
}

bool MeshRelation::has_claims() const {
  return std::any_of(uses.begin(), uses.end(),
                     [](const MappingUse& use) { return !use.searches_received; });
}

std::vector<MeshRelation> mesh_relations(const config::Configuration& configuration) {
  std::vector<MeshRelation> relations;
  for (const config::Participant& participant : configuration.participants) {
    for (const config::ReceiveMesh& received : participant.received) {
      MeshRelation relation;
      relation.mesh = received.name;
      relation.dimensions = configuration.find_mesh(received.name)->dimensions;
      relation.provider = received.from;
      relation.receiver = participant.name;
      if (const config::M2N* m2n = configuration.find_m2n(received.from, participant.name)) {
        relation.initialization = m2n->initialization;
      }
      for (const config::Mapping& mapping : participant.mappings) {
        if (mapping.from == received.name || mapping.to == received.name) {
          relation.uses.push_back(use_of(mapping, received.name));
        }
      }
      relations.push_back(std::move(relation));
    }
  }
  return relations;
}

bool connectivity_required(const config::Configuration& configuration, const std::string& mesh) {
  for (const config::Participant& participant : configuration.participants) {
    for (const config::Mapping& mapping : participant.mappings) {
      if (needs_elements(mapping.kind) && searched_mesh(mapping) == mesh) {
        return true;
      }
    }
  }
  return false;
}

} // namespace isthmus::coupling
