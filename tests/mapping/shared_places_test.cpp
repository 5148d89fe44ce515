// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/shared_places.hpp"

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

/// Sum of the weights; places are the same in both elements.
double shared(const Element& first, const Element& second, const std::vector<SharedPlace>& places) {
  double sum = 0;
  for (const SharedPlace& place : places) {
    CHECK(distance(at(first, place.in_first), at(second, place.in_second)) < 1e-12);
    sum += place.weight;
  }
  return sum;
}

} // namespace

TEST_CASE("places that two elements share stand for their common length, area and volume") {
  std::vector<SharedPlace> places;
  const Element edge{{0, 0, 0}, {2, 0, 0}};
  const Element beyond{{1.5, 0, 0}, {4, 0, 0}};
  shared_places(edge, beyond, places);
  CHECK(shared(edge, beyond, places) == doctest::Approx(0.5));
  const Element triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Element turned{{1, 1, 0}, {0, 1, 0}, {1, 0, 0}}; // of the same square
  shared_places(triangle, triangle, places);
  CHECK(shared(triangle, triangle, places) == doctest::Approx(0.5));
  shared_places(triangle, turned, places);
  CHECK(shared(triangle, turned, places) == doctest::Approx(0));
  const Element half{{0, 0, 0}, {0.5, 0, 0}, {0, 1, 0}};
  shared_places(triangle, half, places);
  CHECK(shared(triangle, half, places) == doctest::Approx(0.25));
  const Element across{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}; // upright
  shared_places(triangle, across, places);
  CHECK(places.empty());
  const Element solid{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Element small{{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}};
  shared_volume(solid, small, places);
  CHECK(shared(solid, small, places) == doctest::Approx(1.0 / 48));
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
