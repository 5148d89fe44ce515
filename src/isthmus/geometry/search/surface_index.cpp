// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/surface_index.hpp"

#include "isthmus/geometry/elements.hpp"
#include "isthmus/geometry/project_sorted.hpp"
#include "isthmus/geometry/search/packing.hpp"
#include "isthmus/geometry/search/query_order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::geometry {
namespace {

int corners_of(const Element& element) {
  return element[2] >= 0 ? 3 : (element[1] >= 0 ? 2 : 1);
}

// Entries between the load of corners and their use.
constexpr std::size_t ahead = 16;

} // namespace

inline Corner SurfaceIndex::corner(LocalIndex id) const {
  return {id, point_at(dim_, coords_, static_cast<std::size_t>(id))};
}

SurfaceIndex::SurfaceIndex(int dim, std::span<const double> coords,
                           std::span<const LocalIndex> edges, std::span<const LocalIndex> triangles)
    : dim_(dim), coords_(coords) {
  const Elements elements(dim, point_count(dim, coords), edges, triangles);
  const Box extent = bounding_box(dim, coords);
  const std::vector<Packed> order = packed(extent, elements.size(), [&](LocalIndex i) {
    return center(elements[static_cast<std::size_t>(i)]);
  });
  bvh_ = Bvh(extent, elements.size());
  elements_.resize(elements.size());
  const auto position = [&](std::size_t i) {
    return static_cast<std::size_t>(order[std::min(i, order.size() - 1)].id);
  };
  const auto element = [&](std::size_t i) { return elements[position(i)]; };
  for (std::size_t i = 0; i < order.size(); ++i) {
    elements.prefetch(position(i + 2 * ahead));
    prefetch(element(i + ahead));
    const Element e = element(i);
    e[2] >= 0 ? set<3>(i, e) : e[1] >= 0 ? set<2>(i, e) : set<1>(i, e);
  }
  bvh_.close();
}

inline Point SurfaceIndex::center(const Element& element) const {
  const int count = corners_of(element);
  Point sum = corner(element[0]).x;
  for (int k = 1; k < count; ++k) {
    sum = sum + corner(element[k]).x;
  }
  return 1.0 / count * sum;
}

inline void SurfaceIndex::prefetch(const Element& element) const {
  for (const LocalIndex id : element) {
    __builtin_prefetch(coords_.data() + static_cast<std::ptrdiff_t>(std::max(id, 0)) * dim_);
  }
}

// Entry `i`, with corners in lexicographic order.
template <int count>
void SurfaceIndex::set(std::size_t i, const Element& element) {
  std::array<Corner, count> v;
  Box box;
  for (int k = 0; k < count; ++k) {
    v[k] = corner(element[k]);
    box.expand(v[k].x);
  }
  std::array<int, count> rank{};
  for (int k = 1; k < count; ++k) {
    for (int j = 0; j < k; ++j) {
      const int after = lexicographic(v[j], v[k]) ? 1 : 0;
      rank[k] += after;
      rank[j] += 1 - after;
    }
  }
  elements_[i] = element; // corners that are not numbers may get equal ranks
  for (int k = 0; k < count; ++k) {
    elements_[i][rank[k]] = element[k];
  }
  bvh_.set_box(i, box);
}

inline Projection SurfaceIndex::project_to(const Element& element, const Point& query) const {
  if (element[2] >= 0) {
    return closest_on_triangle(query, {corner(element[0]), corner(element[1]), corner(element[2])});
  }
  if (element[1] >= 0) {
    return closest_on_edge(query, corner(element[0]), corner(element[1]));
  }
  return closest_on_vertex(query, corner(element[0]));
}

// The closest point is not farther than the nearest corner of any element.
double SurfaceIndex::bound_by_corners(const Element& element, const Point& query) const {
  double distance2 = Box::infinity;
  for (const LocalIndex id : element) {
    if (id >= 0) {
      const Point r = corner(id).x - query;
      distance2 = std::min(distance2, dot(r, r));
    }
  }
  return distance2;
}

// Whether `a` wins over `b` of equal distance and size.
bool SurfaceIndex::wins_tie(const Projection& a, const Projection& b) const {
  for (int k = 0; k < a.size; ++k) {
    const Point u = corner(a.vertex[k]).x;
    const Point v = corner(b.vertex[k]).x;
    if (u != v) {
      return u < v;
    }
  }
  return a.vertex < b.vertex;
}

void SurfaceIndex::project(std::span<const double> queries, std::span<Projection> out) const {
  const std::size_t n = point_count(dim_, queries);
  Element last{-1, -1, -1}; // the closest element of the query before
  Bvh::Cursor cursor;
  const QueryOrder order(dim_, queries, bvh_.near());
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::size_t i = order[turn];
    const Point query = point_at(dim_, queries, i);
    Projection best;
    if (finite(query)) {
      const Bvh::Query q = bvh_.query(query);
      float reach = bvh_.reach(q, bound_by_corners(last, query));
      bvh_.search(cursor, q, reach, [&](std::size_t item) {
        const Projection found = project_to(elements_[item], query);
        if (found.distance2 < best.distance2 ||
            (found.distance2 == best.distance2 &&
             (found.size > best.size || (found.size == best.size && wins_tie(found, best))))) {
          if (found.distance2 < best.distance2) {
            reach = std::min(reach, bvh_.reach(q, found.distance2));
          }
          best = found;
          last = elements_[item];
        }
        return reach;
      });
    }
    out[i] = best;
  }
}

std::size_t SurfaceIndex::bytes() const {
  return elements_.size() * sizeof(Element) + bvh_.bytes();
}

} // namespace isthmus::geometry
