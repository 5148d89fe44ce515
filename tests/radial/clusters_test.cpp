// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/clusters.hpp"
#include "isthmus/geometry/candidates/packed_boxes.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/cluster_grid.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include "radial/all_clusters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using namespace isthmus::radial;
using isthmus::LocalIndex;
using isthmus::geometry::Point;
using isthmus::mesh::Mesh;

namespace {

std::vector<LocalIndex> numbers_of(const std::vector<Point>& points) {
  std::vector<LocalIndex> numbers(points.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

} // namespace

TEST_CASE("clusters cover all points and hold about as many as wanted") {
  for (const auto& [wanted, volume] :
       {std::pair(50, false), std::pair(20, false), std::pair(50, true)}) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> draw(0, 1);
    std::vector<Point> points(4000);
    for (Point& p : points) { // much denser at x = 0
      p = {std::pow(draw(engine), 3), draw(engine), volume ? draw(engine) : 0.0};
    }
    std::sort(points.begin(), points.end());
    const auto clusters = all_clusters({3, points, numbers_of(points)}, {wanted, 0.15, true}).all;
    std::vector<int> covered(points.size(), 0);
    double sum = 0;
    for (const radial::Cluster& cluster : clusters) {
      sum += static_cast<double>(cluster.members.size());
      for (LocalIndex member : cluster.members) {
        ++covered[static_cast<std::size_t>(member)];
      }
    }
    CHECK(*std::min_element(covered.begin(), covered.end()) >= 1);
    const double mean = sum / static_cast<double>(clusters.size());
    CHECK(mean > 0.6 * wanted);
    CHECK(mean < 1.4 * wanted);
  }
}

TEST_CASE("clusters of an even cloud stand on a grid, as recorded elsewhere") {
  Mesh cloud("Cloud", 3);
  std::vector<double> values;
  for (int i = 0; i < 125; ++i) {
    const std::array<int, 3> at{i % 5, i / 5 % 5, i / 25};
    std::array<double, 3> x{};
    for (int k = 0; k < 3; ++k) {
      x[static_cast<std::size_t>(k)] =
          at[static_cast<std::size_t>(k)] / 4.0 + 0.02 * std::sin(13.0 * i + 5.0 * k + 1.0);
    }
    cloud.add_vertices(x);
    values.push_back(std::sin(2 * x[0]) + x[0] * x[1] + 0.5 * x[2] + 1);
  }
  const std::vector<double> points{0.1,  0.07, 0.2, 0.93, 0.31, 0.4, 0.52, 0.55, 0.61,
                                   0.33, 0.81, 0.9, 1.2,  0.4,  0.5, 0.5,  -0.2, 0.3};
  const Interpolation found =
      radial::make_partition_of_unity(
          cloud, {{radial::RadialFunction::Kind::compact_polynomial_c2, 1.2}}, {})
          ->interpolate(points);
  std::vector<double> result(6);
  Rows(found.counts, found.columns, found.weights).apply(1, values, result);
  const std::vector<double> recorded{1.3126078490170601, 2.4348610656674694, 2.4540340690831681,
                                     2.3371412561393763, 2.5542373777115821, 1.8465805173463492};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(result[i] == doctest::Approx(recorded[i]).epsilon(1e-12));
  }
}

TEST_CASE("the middle of a cluster is, of equally near vertices, that of preCICE's tree") {
  std::vector<Point> points;
  for (int i = 0; i < 256; ++i) {
    points.push_back({double(i / 16), double(i % 16), 0.0});
  }
  std::mt19937 engine(3);
  std::vector<LocalIndex> numbers = numbers_of(points);
  for (int numbering = 0; numbering < 5; ++numbering) {
    std::vector<geometry::Box> boxes(points.size());
    std::vector<Point> by_number(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto number = static_cast<std::size_t>(numbers[i]);
      boxes[number].expand(points[i]);
      by_number[number] = points[i];
    }
    geometry::PackedBoxes tree(boxes);
    const auto clusters_of = [&](bool projected, geometry::Ties ties) {
      return all_clusters({2, points, numbers}, {20, 0.15, projected, ties}).all;
    };
    const auto places = clusters_of(false, geometry::Ties::by_number);
    const auto chosen = clusters_of(true, geometry::Ties::by_number);
    const auto by_place = clusters_of(true, geometry::Ties::by_place);
    REQUIRE(places.size() > 4);
    REQUIRE(places.size() == chosen.size());
    REQUIRE(by_place.size() == chosen.size());
    int others = 0;
    for (std::size_t c = 0; c < places.size(); ++c) {
      CHECK(chosen[c].center == by_number[tree.nearest(places[c].center, 1).front()]);
      others += chosen[c].center != by_place[c].center ? 1 : 0;
    }
    CHECK(others > 0); // several are equally near
    std::shuffle(numbers.begin(), numbers.end(), engine);
  }
}

TEST_CASE("clusters of a surface in space are few around each vertex") {
  std::vector<Point> points;
  for (int i = 0; i < 1600; ++i) {
    const double x = i % 40 / 39.0;
    const double y = i / 40 / 39.0;
    points.push_back({x, y, 0.1 * std::sin(3 * x + 2 * y)});
  }
  std::sort(points.begin(), points.end());
  std::size_t members = 0;
  for (const radial::Cluster& cluster :
       all_clusters({3, points, numbers_of(points)}, {50, 0.15, true}).all) {
    members += cluster.members.size();
  }
  CHECK(members < 6 * points.size());
}

TEST_CASE("places of a grid span its box, and are found by where they are") {
  geometry::Box box;
  box.expand(Point{1, 2, 0});
  box.expand(Point{3, 6, 0});
  const auto grid = ClusterGrid::make(2, box, 0.5, 0.15, 1000);
  REQUIRE(grid.has_value());
  CHECK(grid->intervals == ClusterGrid::Place{4, 7, 0}); // sqrt(2) 0.5 0.85 = 0.601 apart at most
  CHECK(grid->num_places() == 40);
  CHECK(grid->point({0, 0, 0}) == Point{1, 2, 0});
  CHECK(grid->point({4, 7, 0}) == Point{3, 6, 0});
  const auto all = grid->places_in(box);
  REQUIRE(all.size() == 40);
  geometry::Box part;
  part.expand(Point{1.9, 3.1, 0});
  part.expand(Point{2.6, 4, 0});
  const auto some = grid->places_in(part);
  CHECK(some.size() < all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(grid->number(all[i]) == static_cast<std::int64_t>(i));
    CHECK((!part.contains(grid->point(all[i])) ||
           std::find(some.begin(), some.end(), all[i]) != some.end()));
  }
  CHECK(sample_points(2, box).size() == 5);
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK_FALSE(ClusterGrid::make(2, box, 0.5, 0.15, 40).has_value()); // as many places as points
  CHECK_FALSE(ClusterGrid::make(2, box, 0, 0.15, 1000).has_value());
}
