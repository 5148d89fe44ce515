// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/weighing/measures.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// What each vertex of both meshes of a scaled mapping contributes to an integral.
struct Integrals {
  std::vector<double> received; // by received vertex, whichever ranks have it, too
  std::vector<double> own;      // of this rank
};

/// Collective. `measures`: of the received mesh. Error on all ranks if one of the meshes has no
/// elements.
[[nodiscard]] Integrals integrals_of(const comm::Comm& comm, const protocol::MappingUse& use,
                                     const mesh::Mesh& received,
                                     const protocol::Measured::One& measures,
                                     const mesh::Mesh& own);

/// Those of some vertices; 0 elsewhere.
[[nodiscard]] std::vector<double> only_at(std::span<const LocalIndex> vertices,
                                          std::span<const double> measures);

} // namespace isthmus::planning
