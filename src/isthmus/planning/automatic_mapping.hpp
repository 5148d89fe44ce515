// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace isthmus::planning {

// <mapping:auto>: what is known of both meshes chooses the kind, once, before the first plan. Both
// participants have the same facts, so they choose the same.

/// Of all ranks.
struct Facts {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  std::int64_t triangles = 0;
  std::int64_t tetrahedra = 0;
  std::int64_t duplicates = 0; // vertices at the place of another; counted only without elements

  /// Lines in 2D, triangles in 3D.
  [[nodiscard]] std::int64_t surface(int dimensions) const {
    return dimensions == 2 ? edges : triangles;
  }
  /// Triangles in 2D, tetrahedra in 3D.
  [[nodiscard]] std::int64_t volume(int dimensions) const {
    return dimensions == 2 ? triangles : tetrahedra;
  }
};

/// Collective.
[[nodiscard]] Facts facts_of(const comm::Comm& comm, const mesh::Mesh& mesh);

struct Choice {
  config::Mapping mapping; // of a kind of its own
  std::string reason;
};

/// For a mapping that is automatic.
[[nodiscard]] Choice choose(const config::Mapping& mapping, int dimensions, const Facts& searched,
                            const Facts& asking);

/// Collective over both participants. Chooses the automatic mappings of a relation and tells why in
/// the receiver's log. `chosen` keeps what uses point to.
void choose_mappings(partner::Connection& partner, transfer::MeshRelation& relation, bool provides,
                     const OwnMeshes& meshes, std::deque<config::Mapping>& chosen);

} // namespace isthmus::planning
