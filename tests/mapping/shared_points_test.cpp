// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/shared_points.hpp"

#include "isthmus/base/exception.hpp"
#include "isthmus/mapping/candidate_projection.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using isthmus::geometry::Point;

namespace {

using Element = std::vector<Point>;

/// Where a place is, by its coordinates in an element.
Point at(const Element& element, const std::array<double, 4>& coordinates) {
  Point place{};
  for (std::size_t corner = 0; corner < element.size(); ++corner) {
    for (std::size_t d = 0; d < 3; ++d) {
      place[d] += coordinates[corner] * element[corner][d];
    }
  }
  return place;
}

/// Sum of the weights; points are the same in both elements.
double shared(const Element& first, const Element& second, const std::vector<SharedPoint>& points) {
  double sum = 0;
  for (const SharedPoint& point : points) {
    CHECK(distance(at(first, point.in_first), at(second, point.in_second)) < 1e-12);
    sum += point.weight;
  }
  return sum;
}

} // namespace

TEST_CASE("points that two elements share stand for their common length, area and volume") {
  std::vector<SharedPoint> points;
  const Element edge{{0, 0, 0}, {2, 0, 0}};
  const Element beyond{{1.5, 0, 0}, {4, 0, 0}};
  shared_points(edge, beyond, points);
  CHECK(shared(edge, beyond, points) == doctest::Approx(0.5));
  const Element triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Element turned{{1, 1, 0}, {0, 1, 0}, {1, 0, 0}}; // of the same square
  shared_points(triangle, triangle, points);
  CHECK(shared(triangle, triangle, points) == doctest::Approx(0.5));
  shared_points(triangle, turned, points);
  CHECK(shared(triangle, turned, points) == doctest::Approx(0));
  const Element half{{0, 0, 0}, {0.5, 0, 0}, {0, 1, 0}};
  shared_points(triangle, half, points);
  CHECK(shared(triangle, half, points) == doctest::Approx(0.25));
  const Element across{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}; // upright
  shared_points(triangle, across, points);
  CHECK(points.empty());
  const Element solid{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Element small{{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
  shared_volume(solid, small, points);
  CHECK(shared(solid, small, points) == doctest::Approx(1.0 / 48));
  CHECK(measure(solid) == doctest::Approx(1.0 / 6));
  CHECK(measure(triangle) == doctest::Approx(0.5));
  CHECK(measure(edge) == doctest::Approx(2));
  CHECK(longest_edge(solid) == doctest::Approx(std::sqrt(2.0)));
}

TEST_CASE("a cloud does not depend on the numbers of its vertices") {
  const std::vector<double> places{3, 1, 0, 2, 3, 0};
  const mesh::Mesh one("M", 2, places, {}, {});
  const mesh::Mesh other("M", 2, {3, 0, 3, 1, 0, 2}, {}, {});
  const Cloud cloud = cloud_of(one, {false, false, false}, "<mapping>");
  CHECK(cloud.points == std::vector<Point>{{0, 2, 0}, {3, 0, 0}, {3, 1, 0}});
  CHECK(cloud.vertices == std::vector<LocalIndex>{1, 2, 0});
  CHECK(cloud_of(other, {false, false, false}, "<mapping>").points == cloud.points);
  CHECK(points_of(2, places, {false, true, false}) ==
        std::vector<Point>{{3, 0, 0}, {0, 0, 0}, {3, 0, 0}});
  CHECK(ordered_by_place(std::vector<Point>{{1, 0, 0}, {0, 5, 0}, {1, 0, 0}}) ==
        std::vector<LocalIndex>{1, 0, 2});
  CHECK(flat(cloud.points)[4] == 0);
  CHECK(flat(cloud.points).size() == 9);
  std::string error;
  try {
    static_cast<void>(cloud_of(one, {false, true, false}, "<mapping> in line 7"));
  } catch (const Error& refused) {
    error = refused.what();
  }
  CHECK(error.find("line 7") != std::string::npos); // both at x = 3
}

TEST_CASE(
    "candidates project onto triangles before edges, and no farther than the nearest vertex") {
  const mesh::Mesh square("M", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0}, {0, 3}, {0, 1, 2});
  const std::vector<double> points{0.25, 0.5, 0.1, 3, 0, 0.5, 5.5, 0, 0};
  std::vector<geometry::Projection> found(3);
  candidates_of(square, Outside::candidates)->project(points, found);
  CHECK(found[0].size == 3);
  CHECK(found[0].distance2 == doctest::Approx(0.01));
  for (int corner = 0; corner < 3; ++corner) {
    const auto c = static_cast<std::size_t>(corner);
    const double weights[] = {0.25, 0.25, 0.5}; // by vertex
    CHECK(found[0].weight[c] == doctest::Approx(weights[found[0].vertex[c]]));
  }
  CHECK(found[1].size == 2); // the edge to the vertex apart
  CHECK(found[1].distance2 == doctest::Approx(0.25));
  CHECK(found[2].size == 1);
  CHECK(found[2].vertex[0] == 3);
  std::vector<geometry::Projection> numbered(3);
  candidates_of(square, Outside::numbered_candidates)->project(points, numbered);
  CHECK(numbered == found); // none are equally near
  Interpolation result;
  for (const auto& projection : found) {
    result.counts.push_back(projection.size);
    result.distances2.push_back(projection.distance2);
    for (int k = 0; k < projection.size; ++k) {
      result.columns.push_back(projection.vertex[static_cast<std::size_t>(k)]);
    }
  }
  note_needed(square, points, false, result);
  CHECK(result.needed2[0] == result.distances2[0]);
  CHECK(result.needed2[1] == doctest::Approx(4.25)); // to the vertex at 5
  CHECK(result.needed2[2] == result.distances2[2]);
  note_needed(square, points, true, result);
  CHECK(result.needed2[0] == doctest::Approx(0.3225)); // to the vertex at (0, 1)
  CHECK(result.needed2[1] == doctest::Approx(4.25));
}
