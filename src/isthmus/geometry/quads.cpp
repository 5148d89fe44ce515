// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/quads.hpp"

#include "isthmus/geometry/vector3.hpp"

namespace isthmus::geometry {
namespace {

// The three outlines of four corners, the given one first.
constexpr std::array<std::array<int, 4>, 3> outlines{{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}}};

// Signs of sines below this count as zero.
constexpr double flat = 1e-12;

// -1, 0, 1: side of `point` on which the line from `a` along `direction` leaves it, seen along `n`.
int side(const Point& a, const Point& direction, const Point& point, const Point& n) {
  const Point to_point = point - a;
  const double volume = dot(cross(direction, to_point), n);
  const double scale = std::sqrt(dot(direction, direction) * dot(to_point, to_point) * dot(n, n));
  return std::abs(volume) <= flat * scale ? 0 : (volume > 0.0 ? 1 : -1);
}

bool on_one_line(const Point& a, const Point& b, const Point& c) {
  const Point n = cross(b - a, c - a);
  const double longest2 = std::max({dot(b - a, b - a), dot(c - a, c - a), dot(c - b, c - b)});
  return !(std::sqrt(dot(n, n)) > flat * longest2);
}

bool degenerate(const std::array<Point, 4>& x) {
  return on_one_line(x[0], x[1], x[2]) || on_one_line(x[0], x[1], x[3]) ||
         on_one_line(x[0], x[2], x[3]) || on_one_line(x[1], x[2], x[3]);
}

// A quadrilateral is convex when its diagonals cross, seen along their common normal.
bool convex(const std::array<Point, 4>& x, const std::array<int, 4>& outline) {
  const Point& a = x[outline[0]];
  const Point& b = x[outline[1]];
  const Point d1 = x[outline[2]] - a;
  const Point d2 = x[outline[3]] - b;
  const Point n = cross(d1, d2);
  return side(a, d1, b, n) * side(a, d1, x[outline[3]], n) < 0 &&
         side(b, d2, a, n) * side(b, d2, x[outline[2]], n) < 0;
}

bool cut_first_diagonal(const std::array<Point, 4>& x, const std::array<int, 4>& o) {
  const Point d1 = x[o[2]] - x[o[0]];
  const Point d2 = x[o[3]] - x[o[1]];
  const double length1 = std::sqrt(dot(d1, d1));
  const double length2 = std::sqrt(dot(d2, d2));
  if (length1 != length2) {
    return length1 < length2;
  }
  const Point edge = x[1] - x[0]; // as preCICE: from the first corner that lies least far along it
  int first = 0;
  for (int i = 1; i < 4; ++i) {
    first = dot(edge, x[i] - x[0]) < dot(edge, x[first] - x[0]) ? i : first;
  }
  return first == o[0] || first == o[2];
}

double warp_of(const std::array<Point, 4>& x, const std::array<int, 4>& o) {
  const Point d1 = x[o[2]] - x[o[0]];
  const Point d2 = x[o[3]] - x[o[1]];
  const Point n = cross(d1, d2);
  const double gap = std::abs(dot(x[o[1]] - x[o[0]], n)) / std::sqrt(dot(n, n));
  return gap / std::sqrt(std::max(dot(d1, d1), dot(d2, d2)));
}

} // namespace

QuadSplit split_quad(const std::array<Point, 4>& corners) {
  if (degenerate(corners)) {
    return {QuadShape::degenerate, {}, 0.0};
  }
  for (const auto& o : outlines) {
    if (convex(corners, o)) {
      const double warp = warp_of(corners, o);
      if (cut_first_diagonal(corners, o)) {
        return {QuadShape::convex, {{{o[0], o[1], o[2]}, {o[0], o[2], o[3]}}}, warp};
      }
      return {QuadShape::convex, {{{o[0], o[1], o[3]}, {o[1], o[2], o[3]}}}, warp};
    }
  }
  return {QuadShape::non_convex, {}, 0.0};
}

} // namespace isthmus::geometry
