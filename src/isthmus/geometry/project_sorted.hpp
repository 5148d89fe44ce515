// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/vector3.hpp"

// Projections for corners in lexicographic order, inline for the indexes. Include them only where
// fused multiply-add is off: their bits decide between elements. The part of a result on an edge
// depends on that edge alone (the same for a vertex), so all triangles around it agree.
namespace isthmus::geometry {

[[nodiscard]] inline Projection closest_on_vertex(const Point& query, const Corner& a) {
  const Point r = a.x - query;
  return {{1.0, 0.0, 0.0}, dot(r, r), {a.id, -1, -1}, 1};
}

/// An edge of no length is its first vertex.
[[nodiscard]] inline Projection closest_on_edge(const Point& query, const Corner& a,
                                                const Corner& b) {
  const Point ab = b.x - a.x;
  const Point to_a = a.x - query;
  const double along = -dot(to_a, ab);
  if (!(along > 0.0)) {
    return closest_on_vertex(query, a);
  }
  const double t = along / dot(ab, ab);
  if (!(t < 1.0)) {
    return closest_on_vertex(query, b);
  }
  const Point r = to_a + t * ab;
  return {{1.0 - t, t, 0.0}, dot(r, r), {a.id, b.id, -1}, 2};
}

/// All other cases of closest_on_triangle: beyond an edge, thin or flat. `area` are the unscaled
/// weights, all positive when the query lies above the inside.
[[nodiscard]] Projection closest_on_border(const Point& query, const std::array<Corner, 3>& v,
                                           const std::array<double, 3>& area, bool flat);

/// Squared sines of the first angle below which a triangle has no area, and below which its weights
/// are doubtful.
inline constexpr double flat2 = 1e-24;
inline constexpr double thin2 = 1e-8;

[[nodiscard]] inline Projection closest_on_inside(const Point& query,
                                                  const std::array<Corner, 3>& v,
                                                  const std::array<double, 3>& area) {
  const double unit = 1.0 / (area[0] + area[1] + area[2]);
  const std::array<double, 3> w{area[0] * unit, area[1] * unit, area[2] * unit};
  const Point r = w[0] * (v[0].x - query) + w[1] * (v[1].x - query) + w[2] * (v[2].x - query);
  return {w, dot(r, r), {v[0].id, v[1].id, v[2].id}, 3};
}

/// Closed triangle; one without area is its longest edge. After C. Ericson, Real-Time Collision
/// Detection (2005), section 5.1, with barycentric coordinates from areas.
[[nodiscard]] inline Projection closest_on_triangle(const Point& query,
                                                    const std::array<Corner, 3>& v) {
  const Point ab = v[1].x - v[0].x;
  const Point ac = v[2].x - v[0].x;
  const Point n = cross(ab, ac);
  const double n2 = dot(n, n);
  const double sides2 = dot(ab, ab) * dot(ac, ac);
  const Point from_a = query - v[0].x;
  const std::array<double, 3> area{dot(cross(v[2].x - v[1].x, query - v[1].x), n),
                                   dot(cross(from_a, ac), n), dot(cross(ab, from_a), n)};
  if (area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0 && n2 > thin2 * sides2) {
    return closest_on_inside(query, v, area);
  }
  return closest_on_border(query, v, area, !(n2 > flat2 * sides2));
}

} // namespace isthmus::geometry
