// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/measures.hpp"

#include "isthmus/geometry/vector3.hpp"
#include "isthmus/mesh/sides.hpp"

#include <array>
#include <cmath>
#include <span>

namespace isthmus::mesh {

namespace {

using geometry::cross;
using geometry::dot;
using geometry::Point;
using geometry::operator-;

double measure(int dimension, const std::array<Point, 4>& corners) {
  const Point a = corners[1] - corners[0];
  if (dimension == 1) {
    return std::sqrt(dot(a, a));
  }
  const Point b = corners[2] - corners[0];
  const Point normal = cross(a, b);
  if (dimension == 2) {
    return std::sqrt(dot(normal, normal)) / 2;
  }
  return std::abs(dot(normal, corners[3] - corners[0])) / 6;
}

/// The share of each vertex in simplices of one dimension.
std::vector<double> shares_of(const Mesh& mesh, int dimension,
                              std::span<const LocalIndex> simplices) {
  std::vector<double> shares(static_cast<std::size_t>(mesh.num_vertices()), 0.0);
  const auto corners = static_cast<std::size_t>(dimension) + 1;
  for (std::size_t first = 0; first < simplices.size(); first += corners) {
    const auto simplex = simplices.subspan(first, corners);
    std::array<Point, 4> points{};
    for (std::size_t k = 0; k < corners; ++k) {
      points[k] = geometry::point_at(mesh.dimensions(), mesh.coordinates(),
                                     static_cast<std::size_t>(simplex[k]));
    }
    const double share = measure(dimension, points) / static_cast<double>(corners);
    for (const LocalIndex vertex : simplex) {
      shares[static_cast<std::size_t>(vertex)] += share;
    }
  }
  return shares;
}

} // namespace

int surface_dimension(const Mesh& mesh) {
  const bool solid = mesh.dimensions() == 3;
  if (solid && !(mesh.triangles().empty() && mesh.tetrahedra().empty())) {
    return 2;
  }
  return mesh.has_connectivity() ? 1 : 0;
}

std::vector<double> vertex_measures(const Mesh& mesh, int dimension) {
  switch (dimension) {
    case 3:
      return shares_of(mesh, 3, all_tetrahedra(mesh));
    case 2:
      return shares_of(mesh, 2, all_triangles(mesh));
    case 1:
      return shares_of(mesh, 1, all_edges(mesh));
    default:
      return shares_of(mesh, 0, {});
  }
}

std::vector<double> vertex_measures(const Mesh& mesh, Domain domain) {
  return vertex_measures(mesh, mesh.dimensions() - (domain == Domain::surface ? 1 : 0));
}

} // namespace isthmus::mesh
