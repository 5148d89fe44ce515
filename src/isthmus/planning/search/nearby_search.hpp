// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/gathered_mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::planning {

// A use that searches the receiver's own mesh and takes vertices of several of its ranks
// (MappingUse::searches_nearby): each vertex of the provider goes to the rank of the nearest own
// vertex, and that rank gets what other ranks have of the mesh around the vertices that it got,
// with elements where the use cuts these.

constexpr int most_boxes = 16; // around the vertices of a rank

/// The received vertices that this rank got; where elements matter, also the other corners of their
/// elements.
struct Asking {
  mesh::Mesh mesh;
  std::vector<LocalIndex> vertices; // by its vertex
};

/// `awarded`: by received vertex, whether this rank got it, as mapping::Interpolation::counts.
[[nodiscard]] Asking asking_for(const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                                bool with_elements);

/// Own vertices, then those that other ranks have in some boxes, by rank.
struct NearbyMesh {
  mesh::Mesh mesh;
  std::vector<exchange::OnRank> others; // where the vertices behind the own ones are
};

/// Collective. What all ranks have of the mesh in the boxes of this one.
[[nodiscard]] NearbyMesh mesh_around(const comm::Comm& comm, const mesh::Mesh& own,
                                     bool with_elements, std::span<const geometry::Box> boxes);

/// By received vertex the nearest own one. Stands for what is found until vertices are awarded.
[[nodiscard]] mapping::Interpolation nearest_own(const mesh::Mesh& received, const mesh::Mesh& own);

/// What is found on own vertices and ghosts.
struct FoundNearby {
  std::unique_ptr<mapping::LateInterpolation>
      late;                     // finds it, where MappingUse::is_late(); or null
  mapping::Interpolation found; // by received vertex; nothing for those that others got
  OwnMeshGhosts ghosts;
};

/// Collective. `awarded`: by received vertex, whether this rank got it, as
/// mapping::Interpolation::counts.
[[nodiscard]] FoundNearby find_nearby(const comm::Comm& comm, const protocol::MappingUse& use,
                                      const mesh::Mesh& received,
                                      std::span<const LocalIndex> awarded, const mesh::Mesh& own,
                                      const MappingFactory& mappings);

} // namespace isthmus::planning
