// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/measures.hpp"

#include "isthmus/geometry/faces.hpp"
#include "isthmus/geometry/vector3.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace isthmus::mapping {

namespace {

/// Adds the measure of different simplices with N corners in equal parts to their corners.
template <std::size_t N, typename Measure>
void add_shares(std::span<const LocalIndex> corners, Measure measure, std::vector<double>& shares) {
  std::vector<std::array<LocalIndex, N>> elements(corners.size() / N);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    std::copy_n(corners.begin() + static_cast<std::ptrdiff_t>(e * N), N, elements[e].begin());
    std::sort(elements[e].begin(), elements[e].end());
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  for (const auto& element : elements) {
    const double share = measure(element) / static_cast<double>(N);
    for (LocalIndex vertex : element) {
      shares[static_cast<std::size_t>(vertex)] += share;
    }
  }
}

std::vector<LocalIndex> all_edges(const mesh::Mesh& mesh) {
  std::vector<LocalIndex> edges(mesh.edges().begin(), mesh.edges().end());
  const auto triangles = mesh.triangles();
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    edges.insert(edges.end(), {triangles[t], triangles[t + 1], triangles[t + 1], triangles[t + 2],
                               triangles[t + 2], triangles[t]});
  }
  return edges;
}

} // namespace

std::vector<double> vertex_measures(const mesh::Mesh& mesh, Extent extent) {
  using geometry::operator-;
  std::vector<double> shares(static_cast<std::size_t>(mesh.num_vertices()), 0.0);
  const auto place = [&mesh](LocalIndex v) {
    return geometry::point_at(mesh.dimensions(), mesh.coordinates(), static_cast<std::size_t>(v));
  };
  const auto length = [&place](const std::array<LocalIndex, 2>& v) {
    const geometry::Point d = place(v[1]) - place(v[0]);
    return std::sqrt(geometry::dot(d, d));
  };
  const auto area = [&place](const std::array<LocalIndex, 3>& v) {
    const geometry::Point n = geometry::cross(place(v[1]) - place(v[0]), place(v[2]) - place(v[0]));
    return 0.5 * std::sqrt(geometry::dot(n, n));
  };
  const auto volume = [&place](const std::array<LocalIndex, 4>& v) {
    const geometry::Point a = place(v[0]);
    return std::abs(
               geometry::dot(geometry::cross(place(v[1]) - a, place(v[2]) - a), place(v[3]) - a)) /
           6.0;
  };
  if (extent == Extent::volume && mesh.dimensions() == 3) {
    add_shares<4>(mesh.tetrahedra(), volume, shares);
  } else if (extent == Extent::volume) {
    add_shares<3>(mesh.triangles(), area, shares);
  } else if (mesh.dimensions() == 3) {
    std::vector<LocalIndex> triangles = geometry::faces_of(mesh.tetrahedra(), geometry::Faces::all);
    triangles.insert(triangles.end(), mesh.triangles().begin(), mesh.triangles().end());
    add_shares<3>(triangles, area, shares);
  } else {
    add_shares<2>(all_edges(mesh), length, shares);
  }
  return shares;
}

} // namespace isthmus::mapping
