// SPDX-License-Identifier: BSD-3-Clause
// Vectors, and the projections for corners that are sorted.
#include "isthmus/geometry/project_sorted.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace isthmus::geometry;

namespace {

using Corners = std::array<Corner, 3>;

Corners sorted(Corners corners) {
  std::sort(corners.begin(), corners.end(), lexicographic);
  return corners;
}

/// A triangle whose first angle has this sine.
Corners with_sine(double sine) {
  return sorted({Corner{4, {0, 0, 0}}, Corner{5, {1, 0, 0}}, Corner{6, {2, 2 * sine, 0}}});
}

} // namespace

TEST_CASE("vectors are added, scaled and multiplied as in a book") {
  const Point a{1, 2, 3};
  const Point b{-4, 5, 0.5};
  CHECK(a + b == Point{-3, 7, 3.5});
  CHECK(a - b == Point{5, -3, 2.5});
  CHECK(2 * a == Point{2, 4, 6});
  CHECK(dot(a, b) == 7.5);
  CHECK(cross(Point{1, 0, 0}, Point{0, 1, 0}) == Point{0, 0, 1});
  CHECK(cross(a, b) == Point{-14, -12.5, 13});
  CHECK(cross(b, a) == -1.0 * cross(a, b));
  CHECK(dot(a, cross(a, b)) == 0);
  CHECK(dot(b, cross(a, b)) == 0);
}

TEST_CASE("corners are ordered by place, then by number") {
  CHECK(lexicographic({9, {0, 5, 5}}, {1, {1, 0, 0}}));
  CHECK(lexicographic({9, {1, 0, 5}}, {1, {1, 1, 0}}));
  CHECK(lexicographic({9, {1, 1, 0}}, {1, {1, 1, 1}}));
  CHECK(lexicographic({1, {1, 1, 1}}, {9, {1, 1, 1}}));
  CHECK_FALSE(lexicographic({9, {1, 1, 1}}, {9, {1, 1, 1}}));
}

TEST_CASE("the closest point of an edge is inside of it or at an end") {
  const Corner a{3, {0, 0, 0}};
  const Corner b{8, {4, 0, 0}};
  CHECK(closest_on_edge({1, 3, 0}, a, b) == Projection{{0.75, 0.25, 0}, 9, {3, 8, -1}, 2});
  CHECK(closest_on_edge({-3, 4, 0}, a, b) == Projection{{1, 0, 0}, 25, {3, -1, -1}, 1});
  CHECK(closest_on_edge({0, 4, 0}, a, b) == Projection{{1, 0, 0}, 16, {3, -1, -1}, 1});
  CHECK(closest_on_edge({7, 0, 4}, a, b) == Projection{{1, 0, 0}, 25, {8, -1, -1}, 1});
  CHECK(closest_on_edge({1, 0, 0}, a, {8, a.x}) == closest_on_vertex({1, 0, 0}, a));
}

TEST_CASE("a triangle is projected onto by its area while it has one") {
  const Corners v = with_sine(0.5); // (0,0), (1,0), (2,1)
  const Projection found = closest_on_triangle({1, 0.25, 3}, v);
  CHECK(found.size == 3);
  CHECK(found.distance2 == doctest::Approx(9));
  CHECK(found.weight[0] == doctest::Approx(0.25)); // 0.5 of (1,0), 0.25 of (2,1)
  CHECK(found.weight[1] == doctest::Approx(0.5));
  CHECK(found.weight[2] == doctest::Approx(0.25));
  CHECK(closest_on_inside({1, 0.25, 3}, v, {1, 2, 1}) ==
        Projection{{0.25, 0.5, 0.25}, 9, {4, 5, 6}, 3});
}

TEST_CASE("a triangle without area is its longest edge, a thin one has both") {
  // the third corner is higher than the second; the longest edge goes from the first to it
  const double flat = 0.1 * std::sqrt(flat2);
  const Corners line = with_sine(flat);
  for (const Point& query :
       {Point{0.5, 1, 0}, Point{1.5, -1, 2}, Point{-1, 0, 0}, Point{9, 1, 1}}) {
    CHECK(closest_on_triangle(query, line) == closest_on_edge(query, line[0], line[2]));
    CHECK(closest_on_border(query, line, {1, 1, 1}, true) ==
          closest_on_edge(query, line[0], line[2]));
  }
  const double thin = 0.5 * std::sqrt(thin2);
  const Corners sliver = with_sine(thin);
  for (const Point& query : {Point{1, 0.25 * thin, 0.5}, Point{0.5, 1, 0}, Point{1.5, -1, 2}}) {
    const Projection found = closest_on_triangle(query, sliver);
    double best = Box::infinity; // no element is closer
    for (const auto& [from, to] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      best = std::min(
          best,
          closest_on_edge(query, sliver[std::size_t(from)], sliver[std::size_t(to)]).distance2);
    }
    CHECK(found.distance2 <= best);
    CHECK(found.distance2 >= best - 1e-6);
    CHECK(found.size > 0);
  }
}
