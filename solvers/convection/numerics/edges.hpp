// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/mesh/mesh.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace isthmus::convection {

/// Ends of an edge: i < j.
struct EdgeEnds {
  LocalIndex i, j;
};

/// A tetrahedron as its integrals need it.
struct Element {
  std::array<std::size_t, 4> nodes;
  std::array<std::size_t, 6> edges; // of the pairs in element_pairs
  std::array<std::array<double, 3>, 4> gradients;
  double volume;
  double length;         // diameter of the ball of this volume
  bool is_solid = false; // it conducts and does not flow
};

/// Pairs of corners of a tetrahedron.
inline constexpr std::array<std::array<std::size_t, 2>, 6> element_pairs = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Edges and elements of one rank. Edges that touch shared nodes come first, so that sums over
/// interfaces travel beside the work on the others; both parts ascend by their ends.
struct Edges {
  std::vector<EdgeEnds> ends;
  std::size_t num_interface = 0;
  std::vector<Element> elements;
};

[[nodiscard]] Edges make_edges(const Mesh& mesh);

/// Marks the elements below a height, along z, as solid. Throws Error if one of them lies on both
/// sides of it.
void mark_solid(const Mesh& mesh, double below, Edges& edges);

} // namespace isthmus::convection
