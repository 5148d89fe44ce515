// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/shared_points.hpp"

#include "isthmus/geometry/vector3.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mapping {

namespace {

using namespace geometry;

using Flat = std::array<double, 2>; // coordinates in the plane of the first element
using Weights = std::array<double, 4>;

/// Corners one after the other; three cuts of a triangle leave at most six.
class Polygon {
 public:
  Polygon() = default;
  explicit Polygon(std::span<const Flat> corners) : count_(corners.size()) {
    std::copy(corners.begin(), corners.end(), corners_.begin());
  }

  void add(const Flat& corner) { corners_[count_++] = corner; }
  [[nodiscard]] std::span<const Flat> corners() const { return std::span(corners_).first(count_); }

 private:
  std::array<Flat, 12> corners_; // also those of a cut that rounding spoils
  std::size_t count_ = 0;
};

double length(const Point& a) {
  return std::sqrt(dot(a, a));
}

/// Direction of an edge or normal of a triangle, of length one; zero if it has no measure.
Point direction(std::span<const Point> element) {
  const Point a = element[1] - element[0];
  const Point d = element.size() == 2 ? a : cross(a, element[2] - element[0]);
  const double size = length(d);
  return size > 0 ? (1.0 / size) * d : Point{};
}

Point middle(std::span<const Point> element) {
  Point sum{};
  for (const Point& corner : element) {
    sum = sum + corner;
  }
  return (1.0 / static_cast<double>(element.size())) * sum;
}

bool face_each_other(std::span<const Point> first, std::span<const Point> second) {
  const Point normal = direction(first);
  const double alike = dot(normal, direction(second));
  const Point apart = middle(second) - middle(first);
  const double along = dot(apart, normal);
  const double gap = first.size() == 3
                         ? std::abs(along)
                         : std::sqrt(std::max(0.0, dot(apart, apart) - along * along));
  return std::abs(alike) > 0.5 && gap <= std::max(longest_edge(first), longest_edge(second));
}

double area(const Flat& a, const Flat& b, const Flat& c) { // signed, doubled
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

Weights weights_in(std::span<const Flat> corners, const Flat& x) {
  if (corners.size() == 2) {
    const double t = (x[0] - corners[0][0]) / (corners[1][0] - corners[0][0]);
    return {1.0 - t, t, 0.0, 0.0};
  }
  const double whole = area(corners[0], corners[1], corners[2]);
  const double u = area(x, corners[1], corners[2]) / whole;
  const double v = area(corners[0], x, corners[2]) / whole;
  return {u, v, 1.0 - u - v, 0.0};
}

/// Corners in the plane of the first element, whose first corner is the origin.
Polygon flattened(std::span<const Point> element, std::span<const Point> first) {
  const Point a = first[1] - first[0];
  const Point along = (1.0 / length(a)) * a;
  const Point across = first.size() == 3 ? cross(direction(first), along) : Point{};
  Polygon result;
  for (const Point& corner : element) {
    const Point x = corner - first[0];
    result.add({dot(x, along), dot(x, across)});
  }
  return result;
}

/// By their extent along one of the axes.
bool lie_apart(std::span<const Flat> a, std::span<const Flat> b) {
  for (const std::size_t axis : {0U, 1U}) {
    const auto less = [axis](const Flat& x, const Flat& y) { return x[axis] < y[axis]; };
    const auto [a_lo, a_hi] = std::minmax_element(a.begin(), a.end(), less);
    const auto [b_lo, b_hi] = std::minmax_element(b.begin(), b.end(), less);
    if ((*a_hi)[axis] < (*b_lo)[axis] || (*b_hi)[axis] < (*a_lo)[axis]) {
      return true;
    }
  }
  return false;
}

/// The part of a polygon on the left of the line from a to b (I. Sutherland, G. Hodgman, Commun.
/// ACM 17 (1974) 32, doi 10.1145/360767.360802).
Polygon left_part(std::span<const Flat> polygon, const Flat& a, const Flat& b) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Flat& x = polygon[i];
    const Flat& y = polygon[(i + 1) % polygon.size()];
    const double at_x = area(a, b, x);
    const double at_y = area(a, b, y);
    if (at_x >= 0) {
      result.add(x);
    }
    if ((at_x > 0 && at_y < 0) || (at_x < 0 && at_y > 0)) {
      const double t = at_x / (at_x - at_y);
      result.add({x[0] + t * (y[0] - x[0]), x[1] + t * (y[1] - x[1])});
    }
  }
  return result;
}

void add_triangles(std::span<const Flat> first, std::span<const Flat> second,
                   std::vector<SharedPoint>& points) {
  Polygon left(second);
  for (std::size_t k = 0; k < 3; ++k) {
    left = left_part(left.corners(), first[k], first[(k + 1) % 3]);
  }
  const std::span<const Flat> polygon = left.corners();
  for (std::size_t k = 2; k < polygon.size(); ++k) { // midpoints of edges are exact to order two
    const std::array<Flat, 3> part{polygon[0], polygon[k - 1], polygon[k]};
    const double weight = std::abs(area(part[0], part[1], part[2])) / 6.0;
    for (std::size_t e = 0; e < 3 && weight > 0; ++e) {
      const Flat& a = part[e];
      const Flat& b = part[(e + 1) % 3];
      const Flat x{0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
      points.push_back({weights_in(first, x), weights_in(second, x), weight});
    }
  }
}

void add_edges(std::span<const Flat> first, std::span<const Flat> second,
               std::vector<SharedPoint>& points) {
  const double lo = std::max(0.0, std::min(second[0][0], second[1][0]));
  const double hi = std::min(first[1][0], std::max(second[0][0], second[1][0]));
  if (hi > lo) { // Simpson's rule
    for (const double part : {0.0, 0.5, 1.0}) {
      const Flat x{lo + part * (hi - lo), 0.0};
      points.push_back(
          {weights_in(first, x), weights_in(second, x), (hi - lo) * (part == 0.5 ? 4 : 1) / 6.0});
    }
  }
}

} // namespace

double measure(std::span<const Point> element) {
  const Point a = element[1] - element[0];
  if (element.size() == 2) {
    return length(a);
  }
  const Point normal = cross(a, element[2] - element[0]);
  return element.size() == 3 ? 0.5 * length(normal)
                             : std::abs(dot(normal, element[3] - element[0])) / 6;
}

double longest_edge(std::span<const Point> element) {
  double longest = 0;
  for (std::size_t i = 0; i < element.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      longest = std::max(longest, distance(element[i], element[j]));
    }
  }
  return longest;
}

void shared_points(std::span<const Point> first, std::span<const Point> second,
                   std::vector<SharedPoint>& points) {
  points.clear();
  if (!face_each_other(first, second)) {
    return;
  }
  const Polygon own = flattened(first, first);
  const Polygon others = flattened(second, first);
  const std::span<const Flat> window = own.corners();
  const std::span<const Flat> other = others.corners();
  if (lie_apart(window, other)) {
    return;
  }
  if (first.size() == 2) {
    add_edges(window, other, points);
  } else {
    add_triangles(window, other, points);
  }
}

} // namespace isthmus::mapping
