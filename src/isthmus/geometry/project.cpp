// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/project.hpp"

#include "isthmus/geometry/project_sorted.hpp"

namespace isthmus::geometry {
namespace {

Projection closest_on_longest_edge(const Point& query, const std::array<Corner, 3>& v) {
  int from = 0;
  int to = 2;
  double longest2 = dot(v[2].x - v[0].x, v[2].x - v[0].x);
  for (int k = 0; k < 2; ++k) {
    const Point edge = v[k + 1].x - v[k].x;
    if (dot(edge, edge) > longest2) {
      longest2 = dot(edge, edge);
      from = k;
      to = k + 1;
    }
  }
  return closest_on_edge(query, v[from], v[to]);
}

bool closer(const Projection& a, const Projection& b) {
  return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.size > b.size);
}

} // namespace

Projection closest_on_border(const Point& query, const std::array<Corner, 3>& v,
                             const std::array<double, 3>& area, bool flat) {
  if (flat) {
    return closest_on_longest_edge(query, v);
  }
  Projection best;
  const bool thin = area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0;
  if (thin) {
    best = closest_on_inside(query, v, area);
  }
  for (int k = 2; k >= 0; --k) { // the edges that the query lies beyond, all if in doubt
    if (thin || !(area[k] > 0.0)) {
      const Projection p = closest_on_edge(query, v[k == 0 ? 1 : 0], v[k == 2 ? 1 : 2]);
      best = closer(p, best) ? p : best;
    }
  }
  return best;
}

} // namespace isthmus::geometry
