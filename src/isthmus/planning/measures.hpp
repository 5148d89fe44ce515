// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/planning/recipient.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::planning {

// Integrals and actions weight a vertex by the elements around it. The provider of a mesh has them:
// a rank of the receiver gets what they measure, where measures_are_sent(), and needs none of them
// for that.

/// What the elements around each vertex measure, by Weighing; nothing where nobody asks.
struct Measures {
  std::array<protocol::Measured::One, 3> all;

  [[nodiscard]] protocol::Measured::One& of(protocol::Weighing what) {
    return all[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] const protocol::Measured::One& of(protocol::Weighing what) const {
    return all[static_cast<std::size_t>(what)];
  }
};

/// Collective. Of a mesh that this participant provides.
[[nodiscard]] Measures measure(const comm::Comm& comm, const protocol::MeshRelation& relation,
                               const mesh::Mesh& mesh);

/// Collective over the provider's ranks. Sends each recipient those of the vertices it has got.
void send_measures(partner::Context& context, const protocol::MeshRelation& relation,
                   const mesh::Mesh& mesh, std::span<const Recipient> recipients);

/// Collective over the receiver's ranks. By received vertex; 0 for those of ranks without a link.
[[nodiscard]] Measures receive_measures(partner::Context& context,
                                        const protocol::MeshRelation& relation,
                                        const transfer::TransferredMesh& received);

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
