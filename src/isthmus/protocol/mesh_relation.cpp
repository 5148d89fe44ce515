// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/protocol/mesh_relation.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/named.hpp"

#include <algorithm>

namespace isthmus::protocol {

namespace {

bool is_scaled(const config::Mapping& mapping) {
  return mapping.constraint == config::Constraint::scaled_consistent_surface ||
         mapping.constraint == config::Constraint::scaled_consistent_volume;
}

/// Elements of both meshes are cut with each other.
bool cuts_elements(const config::Mapping& mapping) {
  return mapping.kind == config::MappingKind::intersection ||
         (mapping.kind == config::MappingKind::automatic &&
          mapping.constraint == config::Constraint::conservative);
}

/// Elements of both meshes matter.
bool joins_elements(const config::Mapping& mapping) {
  return is_scaled(mapping) || cuts_elements(mapping);
}

/// The mesh on which a mapping looks for the place of the other mesh's vertices.
const std::string& searched_mesh(const config::Mapping& mapping) {
  return mapping.constraint == config::Constraint::conservative ? mapping.to : mapping.from;
}

Surroundings surroundings_of(const config::Participant& participant,
                             const config::ReceiveMesh& received) {
  Surroundings around;
  around.enlargement = received.safety_factor;
  for (const config::Mapping& mapping : participant.mappings) {
    if (mapping.just_in_time() && (mapping.from == received.name || mapping.to == received.name)) {
      around.nearest = around.nearest || mapping.kind == config::MappingKind::nearest_neighbor;
      around.radius = std::max(around.radius, mapping.radius);
      around.radial = around.radial || mapping.is_radial_basis();
    }
  }
  return around;
}

/// Every vertex of the region, and of its surroundings, is its own image.
MappingUse direct_use(const std::string& received, const Surroundings& around, bool writes) {
  MappingUse use;
  use.own_mesh = received;
  use.writes = writes;
  use.direct = true;
  use.around = around;
  return use;
}

/// What the search for a mapping has to know of its kind.
struct Demands {
  bool needs_elements; // of the mesh that is searched
  bool has_places;     // each vertex goes to one place of that mesh
  bool takes_many;     // a point takes several vertices, which may lie on several ranks
  bool has_settings;   // what is found depends on more than the kind and config::Mapping::closest
};

/// Whoever adds a kind is asked by the compiler for its demands: without an answer ranks would
/// lose weights, or two mappings share what one of them has found.
Demands demands_of(config::MappingKind kind) {
  using Kind = config::MappingKind;
  switch (kind) {
    case Kind::nearest_neighbor:
    case Kind::nearest_neighbor_gradient:
      return {
          .needs_elements = false, .has_places = true, .takes_many = false, .has_settings = false};
    case Kind::nearest_projection:
    case Kind::linear_cell_interpolation:
      return {
          .needs_elements = true, .has_places = true, .takes_many = false, .has_settings = false};
    case Kind::automatic: // until it has become one of those
      return {
          .needs_elements = true, .has_places = false, .takes_many = false, .has_settings = false};
    case Kind::intersection:
      return {
          .needs_elements = true, .has_places = false, .takes_many = true, .has_settings = false};
    case Kind::rbf_global_direct:
    case Kind::rbf_global_iterative:
    case Kind::rbf_pum_direct:
    case Kind::rbf:
    case Kind::coarse_graining:
    case Kind::axial_geometric_multiscale:
    case Kind::radial_geometric_multiscale:
      return {
          .needs_elements = false, .has_places = false, .takes_many = true, .has_settings = true};
  }
  fail("a kind of mapping without a number");
}

/// Data on it are part of a fixed point that the receiver leads.
bool is_measured(std::span<const config::CouplingScheme> schemes, const std::string& receiver,
                 const std::string& mesh) {
  return std::any_of(schemes.begin(), schemes.end(), [&](const auto& scheme) {
    return scheme.implicit() && scheme.leader() == receiver &&
           std::any_of(scheme.exchanges.begin(), scheme.exchanges.end(),
                       [&](const auto& e) { return e.mesh == mesh && e.to == receiver; });
  });
}

/// Marks the uses that write what an action of the receiver joins.
void mark_joined(const config::Participant& receiver, const config::Mesh& mesh,
                 std::vector<MappingUse>& uses) {
  for (const std::string& data : mesh.data) {
    if (!config::is_made(receiver, data, mesh.name)) {
      continue;
    }
    const std::vector<std::string> origins = config::origins(receiver, data, mesh.name);
    std::vector<MappingUse*> joined;
    for (MappingUse& use : uses) {
      if (use.writes && !use.direct &&
          std::any_of(origins.begin(), origins.end(), [&](const std::string& origin) {
            return receiver.writes(origin, use.own_mesh);
          })) {
        joined.push_back(&use);
      }
    }
    for (MappingUse* use : joined) {
      use->is_joined = use->is_joined || joined.size() > 1;
    }
  }
}

/// Its target may come of several data.
bool joins_data(config::ActionKind kind) {
  return kind == config::ActionKind::python || kind == config::ActionKind::summation;
}

/// What the receiver does with the mesh.
MeshRelation relation_of(const config::Participant& receiver, const config::ReceiveMesh& received,
                         const config::Mesh& mesh) {
  MeshRelation relation;
  relation.mesh = received.name;
  relation.dimensions = mesh.dimensions;
  relation.provider = received.from;
  relation.receiver = receiver.name;
  relation.is_held = !receiver.exports.empty();
  for (const config::Action& action : receiver.actions) {
    if (action.mesh == received.name) {
      relation.is_scripted = relation.is_scripted || action.kind == config::ActionKind::python;
      relation.is_weighed = relation.is_weighed || action.needs_areas();
      relation.reads_what_it_writes = relation.reads_what_it_writes || joins_data(action.kind);
    }
  }
  for (const config::Mapping& mapping : receiver.mappings) {
    const bool concerns = mapping.from == received.name || mapping.to == received.name;
    if (concerns && !mapping.just_in_time()) {
      relation.uses.push_back(use_of(mapping, received.name));
    }
  }
  if (received.api_access) {
    const Surroundings around = surroundings_of(receiver, received);
    relation.uses.push_back(direct_use(received.name, around, false));
    relation.uses.push_back(direct_use(received.name, around, true));
  }
  mark_joined(receiver, mesh, relation.uses);
  return relation;
}

} // namespace

MappingUse use_of(const config::Mapping& mapping, const std::string& received) {
  MappingUse use;
  use.mapping = &mapping;
  use.writes = mapping.to == received;
  use.own_mesh = use.writes ? mapping.from : mapping.to;
  use.searches_received = searched_mesh(mapping) == received;
  use.needs_connectivity = demands_of(mapping.kind).needs_elements;
  use.needs_whole_mesh = mapping.is_multiscale() || use.gathers();
  return use;
}

bool MappingUse::asks_together() const {
  if (mapping == nullptr || !mapping->is_multiscale()) {
    return false;
  }
  const config::Multiscale& scales = mapping->multiscale;
  const bool measures_points = scales.dimension == config::MultiscaleDimension::d2_d3 &&
                               scales.profile == config::CrossSectionProfile::parabolic &&
                               scales.cross_section == config::CrossSection::circle;
  return measures_points || scales.type == config::MultiscaleType::collect;
}

bool MappingUse::searches_nearby() const {
  return mapping != nullptr && !searches_received &&
         (mapping->kind == config::MappingKind::rbf_pum_direct ||
          mapping->kind == config::MappingKind::rbf ||
          mapping->kind == config::MappingKind::coarse_graining ||
          mapping->kind == config::MappingKind::intersection);
}

bool MappingUse::gathers() const {
  return asks_together() || (mapping != nullptr && demands_of(mapping->kind).takes_many &&
                             !searches_received && !solves() && !searches_nearby());
}

bool MappingUse::solves() const {
  return mapping != nullptr && (mapping->kind == config::MappingKind::rbf_global_iterative ||
                                mapping->kind == config::MappingKind::rbf_global_direct);
}

bool MappingUse::takes_share() const {
  return solves() || (scaled() && !writes);
}

bool MappingUse::is_late() const {
  return mapping != nullptr && mapping->is_radial_basis() && (searches_received || writes) &&
         !is_joined && !solves();
}

bool MappingUse::is_automatic() const {
  return mapping != nullptr && mapping->kind == config::MappingKind::automatic;
}

bool MappingUse::is_surveyed() const {
  return mapping != nullptr && searches_received &&
         (mapping->kind == config::MappingKind::rbf_pum_direct ||
          mapping->kind == config::MappingKind::rbf);
}

bool MappingUse::finds_the_same(const MappingUse& other) const {
  const bool ends = searches_received == other.searches_received && own_mesh == other.own_mesh;
  if (direct || other.direct) {
    return ends && direct && other.direct;
  }
  return ends && mapping->kind == other.mapping->kind &&
         mapping->closest == other.mapping->closest && !demands_of(mapping->kind).has_settings;
}

bool MappingUse::has_candidates() const {
  return mapping != nullptr && !mapping->closest &&
         (mapping->kind == config::MappingKind::nearest_projection ||
          mapping->kind == config::MappingKind::linear_cell_interpolation);
}

bool MappingUse::has_places() const {
  return mapping != nullptr && demands_of(mapping->kind).has_places;
}

bool MappingUse::scaled() const {
  return mapping != nullptr && is_scaled(*mapping);
}

Weighing MappingUse::weighing() const {
  return mapping->constraint == config::Constraint::scaled_consistent_volume ? Weighing::volume
                                                                             : Weighing::surface;
}

int MappingUse::axis() const {
  return mapping != nullptr && mapping->is_multiscale() ? static_cast<int>(mapping->multiscale.axis)
                                                        : -1;
}

bool MappingUse::takes_gradients() const {
  return mapping != nullptr && mapping->kind == config::MappingKind::nearest_neighbor_gradient;
}

std::vector<std::string> MeshRelation::mapped_meshes() const {
  std::vector<std::string> names;
  for (const MappingUse& use : uses) {
    if (!use.direct && std::find(names.begin(), names.end(), use.own_mesh) == names.end()) {
      names.push_back(use.own_mesh);
    }
  }
  return names;
}

bool MeshRelation::sends_connectivity() const {
  return is_held || std::any_of(uses.begin(), uses.end(), [](const MappingUse& use) {
           return (use.mapping != nullptr && cuts_elements(*use.mapping)) ||
                  (use.searches_received && use.needs_connectivity);
         });
}

bool MeshRelation::sends_everything() const {
  return std::any_of(uses.begin(), uses.end(),
                     [](const MappingUse& use) { return use.needs_whole_mesh; });
}

bool MeshRelation::sends_shares() const {
  return initialization != config::Initialization::one_level &&
         std::any_of(uses.begin(), uses.end(),
                     [](const MappingUse& use) { return use.takes_share(); });
}

bool MeshRelation::sends_regions() const {
  return !sends_shares() ||
         std::any_of(uses.begin(), uses.end(), [](const MappingUse& use) { return !use.solves(); });
}

std::size_t MeshRelation::first_alike(std::size_t use) const {
  const auto first = std::find_if(uses.begin(), uses.end(), [&](const MappingUse& other) {
    return other.finds_the_same(uses[use]);
  });
  return std::min(use, static_cast<std::size_t>(first - uses.begin()));
}

bool MeshRelation::has_claims() const {
  return std::any_of(uses.begin(), uses.end(), [](const MappingUse& use) { return use.claims(); });
}

std::vector<MeshRelation> mesh_relations(std::span<const config::Participant> participants,
                                         std::span<const config::Mesh> meshes,
                                         std::span<const config::M2N> m2ns,
                                         std::span<const config::CouplingScheme> schemes,
                                         bool may_change) {
  std::vector<MeshRelation> relations;
  for (const config::Participant& participant : participants) {
    for (const config::ReceiveMesh& received : participant.received) {
      const config::Mesh& mesh = config::mesh_named(received.name, meshes);
      MeshRelation relation = relation_of(participant, received, mesh);
      relation.may_change = may_change;
      relation.is_measured = is_measured(schemes, participant.name, received.name);
      const auto m2n = std::find_if(m2ns.begin(), m2ns.end(), [&](const config::M2N& one) {
        return one.joins(received.from, participant.name);
      });
      if (m2n != m2ns.end()) {
        relation.initialization = m2n->initialization;
      }
      relations.push_back(std::move(relation));
    }
  }
  return relations;
}

bool connectivity_required(std::span<const config::Participant> participants,
                           const std::string& mesh) {
  for (const config::Participant& participant : participants) {
    for (const config::Mapping& mapping : participant.mappings) {
      const bool integrated =
          joins_elements(mapping) && (mapping.from == mesh || mapping.to == mesh);
      const bool searched =
          demands_of(mapping.kind).needs_elements && searched_mesh(mapping) == mesh;
      if (integrated || searched) {
        return true;
      }
    }
    if (std::any_of(participant.actions.begin(), participant.actions.end(),
                    [&mesh](const config::Action& action) {
                      return action.mesh == mesh && action.needs_areas();
                    })) {
      return true;
    }
  }
  return false;
}

} // namespace isthmus::protocol
