// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/edges.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isthmus::convection {

Edges make_edges(const Mesh& mesh) {
  std::vector<char> is_shared(mesh.tets.num_nodes(), 0);
  for (const LocalIndex node : mesh.plan.shared) {
    is_shared[static_cast<std::size_t>(node)] = 1;
  }
  const discrete::NodeGraph graph = discrete::node_graph(mesh.tets);
  Edges result;
  std::vector<std::size_t> numbers(graph.neighbours.size());
  for (const bool at_interface : {true, false}) {
    for (std::size_t i = 0; i < mesh.tets.num_nodes(); ++i) {
      for (std::size_t k = graph.offsets[i]; k < graph.offsets[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(graph.neighbours[k]);
        if (j > i && (is_shared[i] != 0 || is_shared[j] != 0) == at_interface) {
          numbers[k] = result.ends.size();
          result.ends.push_back({static_cast<LocalIndex>(i), graph.neighbours[k]});
        }
      }
    }
    if (at_interface) {
      result.num_interface = result.ends.size();
    }
  }
  for (const auto& tet : mesh.tets.tets) {
    const discrete::LinearTet linear = discrete::linear_tet(mesh.tets, tet);
    Element& element = result.elements.emplace_back();
    element.gradients = linear.gradients;
    element.volume = linear.volume;
    element.length = std::cbrt(6 * linear.volume / std::numbers::pi);
    for (std::size_t c = 0; c < 4; ++c) {
      element.nodes[c] = static_cast<std::size_t>(tet[c]);
    }
    for (std::size_t p = 0; p < element_pairs.size(); ++p) {
      const LocalIndex a = tet[element_pairs[p][0]];
      const LocalIndex b = tet[element_pairs[p][1]];
      element.edges[p] = numbers[graph.place_of(std::min(a, b), std::max(a, b))];
    }
  }
  return result;
}

void mark_solid(const Mesh& mesh, double below, Edges& edges) {
  for (Element& element : edges.elements) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const std::size_t node : element.nodes) {
      const double height = mesh.tets.coords[3 * node + 2];
      least = std::min(least, height);
      most = std::max(most, height);
    }
    const double rounding = 1e-9 * (std::abs(least) + std::abs(most));
    check(
        most <= below + rounding || least >= below - rounding,
        "a tetrahedron goes from {:.6g} to {:.6g} along z, through the upper side of the solid at "
        "{:.6g}: make that a plane of the mesh",
        least, most, below);
    element.is_solid = most <= below + rounding;
  }
}

} // namespace isthmus::convection
