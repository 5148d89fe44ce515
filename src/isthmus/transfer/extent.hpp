// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <cstdint>
#include <vector>

namespace isthmus::transfer {

/// What a participant tells its partner about the meshes that take part in a relation, over all of
/// its ranks.
struct MeshExtent {
  geometry::Box box;
  std::int64_t num_vertices = 0;
  std::uint64_t filled = 0; // bit i: mesh i has vertices; of further ones nobody asks
  double spacing = 0; // typical distance between neighbouring vertices, the largest of any rank
  int num_ranks = 1;
  bool keeps = false; // all ranks can go on from what they remember of the last plan
};

/// Collective. `region`: takes part by its corners, unless it is empty or all of space.
/// `with_spacing`: measure it, else it is 0. `keeps`: this rank can.
[[nodiscard]] MeshExtent extent_of(const comm::Comm& comm,
                                   const std::vector<const mesh::Mesh*>& meshes,
                                   const geometry::Box& region, bool with_spacing, bool keeps);

/// Median distance between neighbours along a space-filling curve; 0 below two vertices.
[[nodiscard]] double typical_spacing(const mesh::Mesh& mesh);

} // namespace isthmus::transfer
