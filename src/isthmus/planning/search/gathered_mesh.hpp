// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// Ghosts of the receiver's own mesh: its vertices on other ranks, numbered after the own ones.
struct OwnMeshGhosts {
  exchange::Halo halo;
  std::vector<double> coordinates;
};

// Some mappings depend on all vertices of a mesh, for example those that collect what is around an
// axis. Where that is the receiver's own mesh, each of its ranks gets the vertices of all, finds
// rows for a part of the partner's vertices, and exchanges what belongs to others.

/// The vertices of all ranks, by rank.
struct GatheredMesh {
  mesh::Mesh mesh;
  std::vector<LocalIndex> first; // vertex of each rank, and the number of all
};

/// Collective. Without elements.
[[nodiscard]] GatheredMesh gather_mesh(const comm::Comm& comm, const mesh::Mesh& own);

/// Rows of a use that gathers: for own vertices on the received mesh or, for a block of its
/// vertices (none elsewhere), on the gathered one.
[[nodiscard]] mapping::Interpolation find_gathered(const comm::Comm& comm,
                                                   const protocol::MappingUse& use,
                                                   const mesh::Mesh& received,
                                                   const GatheredMesh& gathered,
                                                   const MappingFactory& mappings);

/// Collective. Makes `columns` from gathered vertices own ones and ghosts.
[[nodiscard]] OwnMeshGhosts localize(const comm::Comm& comm, const GatheredMesh& gathered,
                                     std::span<LocalIndex> columns);

/// Collective. Brings entries to the ranks that their rows, gathered vertices, are on; returns
/// those of the own vertices. Columns mean the same on all ranks.
[[nodiscard]] std::vector<mapping::Entry> deliver(const comm::Comm& comm,
                                                  const GatheredMesh& gathered,
                                                  std::span<const mapping::Entry> entries);

} // namespace isthmus::planning
