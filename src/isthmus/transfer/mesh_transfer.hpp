// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/transfer/selection.hpp"
#include "isthmus/transport/hub.hpp"

#include <span>
#include <string>
#include <vector>

namespace isthmus::transfer {

/// Vertices that came from one rank of the provider, in its order.
struct Part {
  int rank = 0;
  transport::LinkId link = -1;
  LocalIndex first = 0;
  LocalIndex count = 0;
  bool is_new = false; // other vertices than in the last plan
};

/// What arrived: one mesh, numbered by part.
struct TransferredMesh {
  mesh::Mesh mesh;
  std::vector<Part> parts;
};

/// Sends each partner its selection; large arrays go straight from the mesh.
void send_mesh(transport::Hub& hub, const mesh::Mesh& mesh, std::span<const Selection> selections,
               std::span<const transport::LinkId> links, double timeout);

/// Receives from all `parts` (rank and link are given) straight into the arrays of the new mesh.
[[nodiscard]] TransferredMesh receive_parts(transport::Hub& hub, const std::string& name,
                                            int dimensions, std::vector<Part> parts,
                                            double timeout);

/// Collective. The whole mesh goes through the first ranks, as in the one-level initialization.
void send_whole_mesh(const comm::Comm& comm, transport::Hub& hub, transport::LinkId to_first,
                     const mesh::Mesh& mesh);

/// Collective. Everybody gets the whole mesh; parts (not linked yet) by rank of the provider.
[[nodiscard]] TransferredMesh receive_whole_mesh(const comm::Comm& comm, transport::Hub& hub,
                                                 transport::LinkId to_first,
                                                 const std::string& name, int dimensions,
                                                 double timeout);

} // namespace isthmus::transfer
