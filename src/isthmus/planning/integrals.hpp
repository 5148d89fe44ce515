// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

/// What each vertex of both meshes of a scaled mapping contributes to an integral.
struct Integrals {
  std::vector<double> received; // the whole mesh, on every rank
  std::vector<double> own;      // of this rank
};

/// Collective. Error on all ranks if one of the meshes has no elements.
[[nodiscard]] Integrals integrals_of(const comm::Comm& comm, const transfer::MappingUse& use,
                                     const mesh::Mesh& received, const mesh::Mesh& own);

/// Of measures that all ranks have, those of the block that this rank integrates; 0 elsewhere.
[[nodiscard]] std::vector<double> share_of(const comm::Comm& comm,
                                           std::span<const double> measures);

} // namespace isthmus::planning
