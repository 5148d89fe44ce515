// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/sides.hpp"

#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <array>

namespace isthmus::mesh {

namespace {

template <std::size_t Corners>
using Side = std::array<LocalIndex, Corners>;

template <std::size_t Corners>
void add_side(std::vector<Side<Corners>>& sides, Side<Corners> side) {
  std::sort(side.begin(), side.end());
  sides.push_back(side);
}

template <std::size_t Corners>
void add_elements(std::vector<Side<Corners>>& sides, std::span<const LocalIndex> elements) {
  for (std::size_t first = 0; first < elements.size(); first += Corners) {
    Side<Corners> side;
    std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>(first), Corners, side.begin());
    add_side(sides, side);
  }
}

template <std::size_t Corners>
std::vector<LocalIndex> each_once(std::vector<Side<Corners>> sides) {
  sort_once(sides);
  std::vector<LocalIndex> vertices;
  vertices.reserve(Corners * sides.size());
  for (const Side<Corners>& side : sides) {
    vertices.insert(vertices.end(), side.begin(), side.end());
  }
  return vertices;
}

/// Adds the edges between all corners of elements.
void add_edges_of(std::vector<Side<2>>& edges, std::span<const LocalIndex> elements,
                  std::size_t corners) {
  for (std::size_t first = 0; first < elements.size(); first += corners) {
    for (std::size_t a = first; a < first + corners; ++a) {
      for (std::size_t b = a + 1; b < first + corners; ++b) {
        add_side<2>(edges, {elements[a], elements[b]});
      }
    }
  }
}

} // namespace

std::vector<LocalIndex> all_edges(const Mesh& mesh) {
  std::vector<Side<2>> edges;
  add_edges_of(edges, mesh.edges(), 2);
  add_edges_of(edges, mesh.triangles(), 3);
  add_edges_of(edges, mesh.tetrahedra(), 4);
  return each_once(std::move(edges));
}

std::vector<LocalIndex> all_triangles(const Mesh& mesh) {
  std::vector<Side<3>> triangles;
  add_elements(triangles, mesh.triangles());
  const auto tets = mesh.tetrahedra();
  for (std::size_t t = 0; t < tets.size(); t += 4) {
    for (std::size_t opposite = 0; opposite < 4; ++opposite) {
      add_side<3>(triangles, {tets[t + (opposite + 1) % 4], tets[t + (opposite + 2) % 4],
                              tets[t + (opposite + 3) % 4]});
    }
  }
  return each_once(std::move(triangles));
}

std::vector<LocalIndex> all_tetrahedra(const Mesh& mesh) {
  std::vector<Side<4>> tetrahedra;
  add_elements(tetrahedra, mesh.tetrahedra());
  return each_once(std::move(tetrahedra));
}

std::vector<LocalIndex> faces_and_triangles(const Mesh& mesh, geometry::Faces which) {
  std::vector<LocalIndex> all = geometry::faces_of(mesh.tetrahedra(), which);
  all.insert(all.end(), mesh.triangles().begin(), mesh.triangles().end());
  return all;
}

} // namespace isthmus::mesh
