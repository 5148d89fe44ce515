// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/planning/search/foreign_vertices.hpp"

#include <span>
#include <vector>

namespace isthmus::planning {

// Where a use searches the receiver's own mesh on several ranks: who asks, and what is searched.

constexpr int most_boxes = 16; // around the vertices of a rank

/// The received vertices that this rank got, with elements those of these around them, too.
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
  std::vector<OnRank> others; // where the vertices behind the own ones are
};

/// Collective. What all ranks have of the mesh in the boxes of this one.
[[nodiscard]] NearbyMesh mesh_around(const comm::Comm& comm, const mesh::Mesh& own,
                                     bool with_elements, std::span<const geometry::Box> boxes);

} // namespace isthmus::planning
