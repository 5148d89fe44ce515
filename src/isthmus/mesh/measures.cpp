// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/measures.hpp"

#include "isthmus/geometry/vector3.hpp"

#include <array>
#include <cmath>

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

std::span<const LocalIndex> cells(const Mesh& mesh, int dimension) {
  switch (dimension) {
    case 1:
      return mesh.edges();
    case 2:
      return mesh.triangles();
    case 3:
      return mesh.tetrahedra();
    default:
      return {};
  }
}

} // namespace

int cell_dimension(const Mesh& mesh) {
  int dimension = 3;
  while (dimension > 0 && cells(mesh, dimension).empty()) {
    --dimension;
  }
  return dimension;
}

std::vector<double> vertex_measures(const Mesh& mesh, int dimension) {
  std::vector<double> shares(static_cast<std::size_t>(mesh.num_vertices()), 0.0);
  const auto all = cells(mesh, dimension);
  const auto corners = static_cast<std::size_t>(dimension) + 1;
  for (std::size_t first = 0; first < all.size(); first += corners) {
    const auto cell = all.subspan(first, corners);
    std::array<Point, 4> places{};
    for (std::size_t k = 0; k < corners; ++k) {
      places[k] = geometry::point_at(mesh.dimensions(), mesh.coordinates(),
                                     static_cast<std::size_t>(cell[k]));
    }
    const double share = measure(dimension, places) / static_cast<double>(corners);
    for (const LocalIndex vertex : cell) {
      shares[static_cast<std::size_t>(vertex)] += share;
    }
  }
  return shares;
}

} // namespace isthmus::mesh
