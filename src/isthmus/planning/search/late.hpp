// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <memory>
#include <vector>

namespace isthmus::planning {

// What takes long, and of which the provider needs nothing: it has gone on when this is done.

/// Rows of which it is known what they read.
struct LateRows {
  std::unique_ptr<mapping::LateInterpolation> interpolation;
  std::vector<LocalIndex> ghosts{}; // by received vertex: its ghost, or -1
};

/// The system that a use solves for each field.
struct LateSystem {
  const transfer::MappingUse* use = nullptr;
  mesh::Mesh share;                // the received vertices that are with this rank
  const mesh::Mesh* own = nullptr; // must outlive the object

  /// Collective.
  [[nodiscard]] std::unique_ptr<mapping::DistributedMapping> make(
      const comm::Comm& comm, const MappingFactory& mappings) const {
    const mesh::Mesh& searched = use->searches_received ? share : *own;
    const mesh::Mesh& asking = use->searches_received ? *own : share;
    return mappings.make(*use->mapping, searched)->distribute(comm, asking.coordinates());
  }
};

} // namespace isthmus::planning
