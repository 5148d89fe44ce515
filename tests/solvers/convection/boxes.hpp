// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace isthmus::convection {

inline Mesh cube(const comm::Comm& comm, int cells) {
  return make_box(comm, {{cells, cells, cells}, {1, 1, 1}, 6});
}

inline std::array<double, 3> place(const Mesh& mesh, std::size_t node) {
  return {mesh.tets.coords[3 * node], mesh.tets.coords[3 * node + 1],
          mesh.tets.coords[3 * node + 2]};
}

/// Nodes of the boundary, each value of them marked but the last `free` ones.
inline std::vector<char> at_boundary(const Mesh& mesh, std::size_t width, std::size_t free) {
  std::vector<char> marks(width * mesh.tets.num_nodes(), 0);
  for (const Group& group : mesh.groups) {
    for (const LocalIndex node : group.nodes) {
      for (std::size_t c = 0; c + free < width; ++c) {
        marks[width * static_cast<std::size_t>(node) + c] = 1;
      }
    }
  }
  return marks;
}

/// Root of the integral of the square over a cube of `cells` cells along each axis, in which each
/// node has the volume of one of them. Collective.
inline double size(const comm::Comm& comm, const Mesh& mesh, int cells, int width,
                   const std::vector<double>& values) {
  return std::sqrt(exchange::owned_dot(comm, mesh.plan, width, values, values) /
                   std::pow(cells, 3));
}

} // namespace isthmus::convection
