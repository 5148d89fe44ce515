// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/measures.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/geometry/faces.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
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

/// Simplices of N corners, each once, whatever the order of their corners.
template <std::size_t N>
std::vector<LocalIndex> different(std::span<const LocalIndex> corners) {
  std::vector<std::array<LocalIndex, N>> simplices(corners.size() / N);
  for (std::size_t e = 0; e < simplices.size(); ++e) {
    std::copy_n(corners.begin() + static_cast<std::ptrdiff_t>(e * N), N, simplices[e].begin());
    std::sort(simplices[e].begin(), simplices[e].end());
  }
  sort_once(simplices);
  std::vector<LocalIndex> result;
  for (const auto& simplex : simplices) {
    result.insert(result.end(), simplex.begin(), simplex.end());
  }
  return result;
}

std::vector<LocalIndex> all_triangles(const Mesh& mesh) {
  std::vector<LocalIndex> triangles = geometry::faces_of(mesh.tetrahedra(), geometry::Faces::all);
  triangles.insert(triangles.end(), mesh.triangles().begin(), mesh.triangles().end());
  return triangles;
}

std::vector<LocalIndex> all_edges(const Mesh& mesh) {
  std::vector<LocalIndex> edges(mesh.edges().begin(), mesh.edges().end());
  const auto triangles = mesh.triangles();
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    edges.insert(edges.end(), {triangles[t], triangles[t + 1], triangles[t + 1], triangles[t + 2],
                               triangles[t + 2], triangles[t]});
  }
  return edges;
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
      return shares_of(mesh, 3, different<4>(mesh.tetrahedra()));
    case 2:
      return shares_of(mesh, 2, different<3>(all_triangles(mesh)));
    case 1:
      return shares_of(mesh, 1, different<2>(all_edges(mesh)));
    default:
      return shares_of(mesh, 0, {});
  }
}

std::vector<double> vertex_measures(const Mesh& mesh, Domain domain) {
  return vertex_measures(mesh, mesh.dimensions() - (domain == Domain::surface ? 1 : 0));
}

} // namespace isthmus::mesh
