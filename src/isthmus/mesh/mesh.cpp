// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mesh/mesh.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/geometry/quads.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mesh {

std::span<const double> Mesh::vertex(LocalIndex i) const {
  const auto dim = static_cast<std::size_t>(dimensions_);
  return std::span<const double>(coordinates_).subspan(static_cast<std::size_t>(i) * dim, dim);
}

LocalIndex Mesh::add_vertices(std::span<const double> coordinates) {
  const LocalIndex first = num_vertices();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!std::isfinite(coordinates[i])) {
      const std::size_t dim = static_cast<std::size_t>(dimensions_);
      fail("mesh \"{}\": coordinate {} of vertex {} of this call is {}; coordinates must be finite",
           name_, "xyz"[i % dim], i / dim, coordinates[i]);
    }
  }
  coordinates_.insert(coordinates_.end(), coordinates.begin(), coordinates.end());
  return first;
}

void Mesh::check_elements(const char* kind, int corners,
                          std::span<const LocalIndex> vertices) const {
  const auto step = static_cast<std::size_t>(corners);
  check(vertices.size() % step == 0,
        "mesh \"{}\": {} vertex ids do not make whole {}s, which have {} each", name_,
        vertices.size(), kind, corners);
  const LocalIndex count = num_vertices();
  for (std::size_t e = 0; e < vertices.size(); e += step) {
    for (std::size_t i = e; i < e + step; ++i) {
      if (vertices[i] < 0 || vertices[i] >= count) {
        fail("mesh \"{}\": vertex id {} of {} {} is invalid: ids on this rank are 0 to {}", name_,
             vertices[i], kind, e / step, count - 1);
      }
      for (std::size_t j = e; j < i; ++j) {
        if (vertices[i] == vertices[j]) {
          fail(
              "mesh \"{}\": {} {} is degenerate, it names vertex id {} twice; vertices must be "
              "unique",
              name_, kind, e / step, vertices[i]);
        }
      }
    }
  }
}

void Mesh::add_edges(std::span<const LocalIndex> pairs) {
  check_elements("edge", 2, pairs);
  edges_.insert(edges_.end(), pairs.begin(), pairs.end());
}

void Mesh::add_triangles(std::span<const LocalIndex> triples) {
  check_elements("triangle", 3, triples);
  triangles_.insert(triangles_.end(), triples.begin(), triples.end());
}

void Mesh::add_quads(std::span<const LocalIndex> quadruples) {
  check_elements("quad", 4, quadruples);
  std::vector<LocalIndex> triangles;
  for (std::size_t q = 0; q < quadruples.size(); q += 4) {
    std::array<geometry::Point, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = geometry::point_at(dimensions_, coordinates_,
                                      static_cast<std::size_t>(quadruples[q + i]));
    }
    const geometry::QuadSplit split = geometry::split_quad(corners);
    check(
        split.shape == geometry::QuadShape::convex,
        "mesh \"{}\": quad {} with vertex ids {}, {}, {}, {} is {}; only convex quads can be split "
        "into triangles",
        name_, q / 4, quadruples[q], quadruples[q + 1], quadruples[q + 2], quadruples[q + 3],
        split.shape == geometry::QuadShape::degenerate ? "degenerate" : "not convex");
    for (const auto& triangle : split.triangles) {
      for (int corner : triangle) {
        triangles.push_back(quadruples[q + static_cast<std::size_t>(corner)]);
      }
    }
  }
  triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
}

void Mesh::add_tetrahedra(std::span<const LocalIndex> quadruples) {
  check(dimensions_ == 3, "mesh \"{}\" has {} dimensions; tetrahedra need 3", name_, dimensions_);
  check_elements("tetrahedron", 4, quadruples);
  tetrahedra_.insert(tetrahedra_.end(), quadruples.begin(), quadruples.end());
}

void Mesh::move_vertices(std::span<const LocalIndex> vertices,
                         std::span<const double> coordinates) {
  auto from = coordinates.begin();
  for (const LocalIndex vertex : vertices) {
    std::copy_n(from, dimensions_, coordinates_.begin() + vertex * dimensions_);
    from += dimensions_;
  }
}

void Mesh::drop_connectivity() {
  release(edges_, triangles_, tetrahedra_);
}

void Mesh::clear() {
  drop_connectivity();
  release(coordinates_);
}

std::vector<double> coordinates_of(int dimensions, std::span<const double> coordinates,
                                   std::span<const LocalIndex> vertices) {
  std::vector<double> result;
  result.reserve(vertices.size() * static_cast<std::size_t>(dimensions));
  for (const LocalIndex vertex : vertices) {
    const auto from = coordinates.begin() + static_cast<std::ptrdiff_t>(vertex) * dimensions;
    result.insert(result.end(), from, from + dimensions);
  }
  return result;
}

std::vector<double> coordinates_of(const Mesh& mesh, std::span<const LocalIndex> vertices) {
  return coordinates_of(mesh.dimensions(), mesh.coordinates(), vertices);
}

} // namespace isthmus::mesh
