// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/surface_index.hpp"

#include "isthmus/geometry/curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::geometry {
namespace {

using Element = std::array<LocalIndex, 3>;

std::uint64_t edge_key(LocalIndex a, LocalIndex b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high);
}

std::vector<std::uint64_t> sorted_edges(std::span<const LocalIndex> edges) {
  std::vector<std::uint64_t> keys;
  keys.reserve(edges.size() / 2);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    keys.push_back(edge_key(edges[i], edges[i + 1]));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void add_triangle_edges(std::span<const LocalIndex> triangles, std::vector<LocalIndex>& edges) {
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      edges.push_back(triangles[i + k]);
      edges.push_back(triangles[i + (k + 1) % 3]);
    }
  }
}

// Edges that bound no triangle.
std::vector<std::uint64_t> free_edges(std::span<const LocalIndex> edges,
                                      std::span<const LocalIndex> triangles) {
  std::vector<std::uint64_t> keys = sorted_edges(edges);
  std::vector<bool> covered(keys.size());
  if (!keys.empty()) {
    std::vector<LocalIndex> of_triangles;
    add_triangle_edges(triangles, of_triangles);
    for (std::size_t i = 0; i < of_triangles.size(); i += 2) {
      const std::uint64_t key = edge_key(of_triangles[i], of_triangles[i + 1]);
      const auto at = std::lower_bound(keys.begin(), keys.end(), key);
      if (at != keys.end() && *at == key) {
        covered[static_cast<std::size_t>(at - keys.begin())] = true;
      }
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!covered[i]) {
      keys[kept++] = keys[i];
    }
  }
  keys.resize(kept);
  return keys;
}

// What the closest point can lie on: triangles (3D), then edges, then vertices without either.
std::vector<Element> elements_of(int dim, std::size_t vertices, std::span<const LocalIndex> edges,
                                 std::span<const LocalIndex> triangles) {
  std::vector<std::uint64_t> lines;
  std::vector<Element> elements;
  if (dim == 3) {
    lines = free_edges(edges, triangles);
    elements.reserve(triangles.size() / 3 + lines.size());
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
      elements.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
    }
  } else {
    std::vector<LocalIndex> all(edges.begin(), edges.end());
    add_triangle_edges(triangles, all);
    lines = sorted_edges(all);
  }
  for (const std::uint64_t key : lines) {
    elements.push_back({static_cast<LocalIndex>(key >> 32), static_cast<LocalIndex>(key), -1});
  }
  std::vector<bool> used(vertices);
  for (const Element& element : elements) {
    for (const LocalIndex id : element) {
      if (id >= 0) {
        used[static_cast<std::size_t>(id)] = true;
      }
    }
  }
  for (std::size_t i = 0; i < vertices; ++i) {
    if (!used[i]) {
      elements.push_back({static_cast<LocalIndex>(i), -1, -1});
    }
  }
  return elements;
}

} // namespace

SurfaceIndex::SurfaceIndex(int dim, std::span<const double> coords,
                           std::span<const LocalIndex> edges, std::span<const LocalIndex> triangles)
    : dim_(dim), coords_(coords) {
  const std::vector<Element> elements =
      elements_of(dim, point_count(dim, coords), edges, triangles);
  const auto box_of = [&](LocalIndex i) {
    Box box;
    for (const LocalIndex id : elements[static_cast<std::size_t>(i)]) {
      if (id >= 0) {
        box.expand(corner(id).x);
      }
    }
    return box;
  };
  const std::vector<LocalIndex> order =
      order_along_curve(dim, elements.size(), [&](LocalIndex i) { return box_of(i).center(); });
  bvh_ = Bvh(bounding_box(dim, coords), elements.size());
  elements_.resize(elements.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    elements_[i] = elements[static_cast<std::size_t>(order[i])];
    bvh_.set_box(i, box_of(order[i]));
  }
  bvh_.close();
}

Corner SurfaceIndex::corner(LocalIndex id) const {
  return {id, point_at(dim_, coords_, static_cast<std::size_t>(id))};
}

Projection SurfaceIndex::project_to(const Element& element, const Point& query) const {
  const Corner a = corner(element[0]);
  if (element[1] < 0) {
    return project_to_vertex(query, a);
  }
  const Corner b = corner(element[1]);
  return element[2] < 0 ? project_to_edge(query, a, b)
                        : project_to_triangle(query, a, b, corner(element[2]));
}

bool SurfaceIndex::preferred(const Projection& a, const Projection& b) const {
  if (a.distance2 != b.distance2 || a.size != b.size) {
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.size > b.size);
  }
  for (int k = 0; k < a.size; ++k) {
    if (a.vertex[k] != b.vertex[k]) {
      const Corner u = corner(a.vertex[k]);
      const Corner v = corner(b.vertex[k]);
      if (u.x != v.x) {
        return u.x < v.x;
      }
    }
  }
  return a.vertex < b.vertex;
}

void SurfaceIndex::project(std::span<const double> queries, std::span<Projection> out) const {
  const std::size_t n = point_count(dim_, queries);
  std::size_t last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Point query = point_at(dim_, queries, i);
    Projection best;
    if (!elements_.empty() && std::isfinite(query[0] + query[1] + query[2])) {
      const Bvh::Query q = bvh_.query(query);
      float bound = bvh_.bound(q, Box::infinity);
      const auto look = [&](std::size_t item) {
        const Projection found = project_to(elements_[item], query);
        if (preferred(found, best)) {
          best = found;
          last = item;
          bound = bvh_.bound(q, best.distance2);
        }
        return bound;
      };
      bound = look(last);
      bvh_.search(q, bound, look);
    }
    out[i] = best;
  }
}

std::size_t SurfaceIndex::bytes() const {
  return elements_.size() * sizeof(Element) + bvh_.bytes();
}

} // namespace isthmus::geometry
