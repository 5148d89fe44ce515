// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/inputs.hpp"
#include "isthmus/protocol/mesh_relation.hpp"

#include <memory>

namespace isthmus::planning {

/// The system that a use solves for each field. It takes long, and the provider needs nothing of
/// it: it is made when that has gone on.
struct LateSystem {
  const protocol::MappingUse* use = nullptr;
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
