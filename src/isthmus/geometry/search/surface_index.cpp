// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/surface_index.hpp"

#include "isthmus/geometry/project_sorted.hpp"
#include "isthmus/geometry/search/query_order.hpp"

#include <algorithm>

namespace isthmus::geometry {

inline Projection SurfaceIndex::project_to(const Element& element, const Point& query) const {
  if (element[2] >= 0) {
    return closest_on_triangle(
        query, {tree_.corner(element[0]), tree_.corner(element[1]), tree_.corner(element[2])});
  }
  if (element[1] >= 0) {
    return closest_on_edge(query, tree_.corner(element[0]), tree_.corner(element[1]));
  }
  return closest_on_vertex(query, tree_.corner(element[0]));
}

// Whether `a` wins over `b` of equal distance and size.
bool SurfaceIndex::wins_tie(const Projection& a, const Projection& b) const {
  for (int k = 0; k < a.size; ++k) {
    const Point u = tree_.corner(a.vertex[k]).x;
    const Point v = tree_.corner(b.vertex[k]).x;
    if (u != v) {
      return u < v;
    }
  }
  return a.vertex < b.vertex;
}

void SurfaceIndex::project(std::span<const double> queries, std::span<Projection> out) const {
  const int dim = tree_.dimensions();
  const Bvh& boxes = tree_.boxes();
  const std::size_t n = point_count(dim, queries);
  Element last{-1, -1, -1}; // the closest element of the query before
  Bvh::Cursor cursor;
  const QueryOrder order(dim, queries, boxes.near());
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::size_t i = order[turn];
    const Point query = point_at(dim, queries, i);
    Projection best;
    if (finite(query)) {
      const Bvh::Query q = boxes.query(query);
      float reach = boxes.reach(q, tree_.bound_by_corners(last, query));
      boxes.search(cursor, q, reach, [&](std::size_t item) {
        const Projection found = project_to(tree_[item], query);
        if (found.distance2 < best.distance2 ||
            (found.distance2 == best.distance2 &&
             (found.size > best.size || (found.size == best.size && wins_tie(found, best))))) {
          if (found.distance2 < best.distance2) {
            reach = std::min(reach, boxes.reach(q, found.distance2));
          }
          best = found;
          last = tree_[item];
        }
        return reach;
      });
    }
    out[i] = best;
  }
}

} // namespace isthmus::geometry
