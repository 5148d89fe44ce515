// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/project.hpp"

#include "isthmus/geometry/vector3.hpp"

#include <utility>

namespace isthmus::geometry {
namespace {

// Squared sines below which a triangle has no area, and below which its inner weights are doubtful.
constexpr double flat2 = 1e-24;
constexpr double thin2 = 1e-8;

// Corners in lexicographic order from here on.

Projection project_to_sorted_edge(const Point& query, const Corner& a, const Corner& b) {
  const Point ab = b.x - a.x;
  const Point to_a = a.x - query;
  const double length2 = dot(ab, ab);
  const double along = -dot(to_a, ab);
  if (!(along > 0.0)) { // also an edge of no length
    return project_to_vertex(query, a);
  }
  const double t = along / length2;
  if (!(t < 1.0)) {
    return project_to_vertex(query, b);
  }
  const Point r = to_a + t * ab;
  return {{1.0 - t, t, 0.0}, dot(r, r), {a.id, b.id, -1}, 2};
}

bool closer(const Projection& a, const Projection& b) {
  return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.size > b.size);
}

Projection project_to_longest_edge(const Point& query, const std::array<Corner, 3>& v) {
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
  return project_to_sorted_edge(query, v[from], v[to]);
}

// `weight` holds positive areas up to a common factor.
Projection project_to_inside(const Point& query, const std::array<Corner, 3>& v,
                             const std::array<double, 3>& weight) {
  const double sum = weight[0] + weight[1] + weight[2];
  const std::array<double, 3> w{weight[0] / sum, weight[1] / sum, weight[2] / sum};
  const Point r = w[0] * (v[0].x - query) + w[1] * (v[1].x - query) + w[2] * (v[2].x - query);
  return {w, dot(r, r), {v[0].id, v[1].id, v[2].id}, 3};
}

} // namespace

bool lexicographic(const Corner& a, const Corner& b) {
  return a.x != b.x ? a.x < b.x : a.id < b.id;
}

Projection project_to_vertex(const Point& query, const Corner& a) {
  const Point r = a.x - query;
  return {{1.0, 0.0, 0.0}, dot(r, r), {a.id, -1, -1}, 1};
}

Projection project_to_edge(const Point& query, Corner a, Corner b) {
  if (lexicographic(b, a)) {
    std::swap(a, b);
  }
  return project_to_sorted_edge(query, a, b);
}

Projection project_to_triangle(const Point& query, Corner a, Corner b, Corner c) {
  std::array<Corner, 3> v{a, b, c};
  if (lexicographic(v[1], v[0])) {
    std::swap(v[0], v[1]);
  }
  if (lexicographic(v[2], v[1])) {
    std::swap(v[1], v[2]);
  }
  if (lexicographic(v[1], v[0])) {
    std::swap(v[0], v[1]);
  }
  const Point ab = v[1].x - v[0].x;
  const Point ac = v[2].x - v[0].x;
  const Point n = cross(ab, ac);
  const double n2 = dot(n, n);
  const double sides2 = dot(ab, ab) * dot(ac, ac);
  if (!(n2 > flat2 * sides2)) {
    return project_to_longest_edge(query, v);
  }
  const Point from_a = query - v[0].x;
  const std::array<double, 3> w{dot(cross(v[2].x - v[1].x, query - v[1].x), n),
                                dot(cross(from_a, ac), n), dot(cross(ab, from_a), n)};
  Projection best;
  if (w[0] > 0.0 && w[1] > 0.0 && w[2] > 0.0) {
    best = project_to_inside(query, v, w);
    if (n2 > thin2 * sides2) {
      return best;
    }
  }
  for (int k = 2; k >= 0; --k) { // the edges that the query lies beyond, all if in doubt
    if (!(w[k] > 0.0) || best.size == 3) {
      const Projection p = project_to_sorted_edge(query, v[k == 0 ? 1 : 0], v[k == 2 ? 1 : 2]);
      best = closer(p, best) ? p : best;
    }
  }
  return best;
}

} // namespace isthmus::geometry
