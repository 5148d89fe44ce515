// SPDX-License-Identifier: BSD-3-Clause
// What clusters depend on of a mesh that is spread over ranks, against clusters of all of it.
#include "isthmus/radial/clusters/survey.hpp"

#include "isthmus/comm/comm.hpp"
#include "isthmus/radial/clusters/clusters.hpp"

#include "radial/all_clusters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::radial;
using isthmus::comm::Comm;
using isthmus::geometry::Point;

namespace {

struct Shape {
  std::string name;
  int dimensions;
  bool is_even;
  std::function<Point(double, double, double)> place;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"square", 2, true,
       [](double x, double y, double) {
         return Point{x, 2 * y, 0};
       }},
      {"cube", 3, true,
       [](double x, double y, double z) {
         return Point{x, y, z};
       }},
      {"graded square", 2, false,
       [](double x, double y, double) {
         return Point{std::pow(x, 4), y, 0};
       }},
      {"surface", 3, false,
       [](double x, double y, double) {
         return Point{x, y, 0.3 * std::sin(4 * x)};
       }},
      {"ring", 2, false, [](double x, double y, double) {
         return Point{(1 + 0.2 * y) * std::cos(6.28 * x), (1 + 0.2 * y) * std::sin(6.28 * x), 0};
       }}};
  return all;
}

std::vector<Point> points_of(const Shape& shape, int count) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    const double x = uniform(engine);
    const double y = uniform(engine);
    points.push_back(shape.place(x, y, uniform(engine)));
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// Compares with what one rank finds in all points; `rank_of`: who has a point.
void check_survey(const Comm& comm, const Shape& shape, const std::vector<Point>& all,
                  const std::function<int(std::size_t)>& rank_of) {
  CAPTURE(shape.name);
  std::vector<Point> own;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (rank_of(i) == comm.rank()) {
      own.push_back(all[i]);
    }
  }
  for (const bool project : {true, false}) {
    const PartitionSettings settings{.project_to_input = project};
    const Comm alone;
    const WholeCloud of_all = survey(alone, shape.dimensions, all, settings);
    const WholeCloud found = survey(comm, shape.dimensions, own, settings);
    CHECK(found.num_points == static_cast<GlobalIndex>(all.size()));
    CHECK(found.box == of_all.box);
    CHECK(found.radius == of_all.radius);
    CHECK(found.is_even == of_all.is_even);
    std::vector<LocalIndex> numbers(all.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const Clusters clusters = all_clusters({shape.dimensions, all, numbers}, settings);
    if (all.size() > 50) {
      // around a corner of the cube there are too few, if not around a vertex near it
      CHECK(found.is_even == (shape.is_even && (project || shape.dimensions == 2)));
      CHECK(found.is_even == clusters.even);
      if (clusters.even) {
        CHECK(found.radius == clusters.all.front().radius);
      }
    }
  }
}

} // namespace

TEST_CASE("the survey of a mesh on several ranks finds what one rank finds") {
  const Comm comm(MPI_COMM_WORLD);
  for (const Shape& shape : shapes()) {
    const std::vector<Point> all = points_of(shape, 3000);
    check_survey(comm, shape, all,
                 [&](std::size_t i) { return static_cast<int>(i % 7) % comm.size(); });
    check_survey(comm, shape, all, [&](std::size_t i) { // strips, the first rank has none
      return std::min(comm.size() - 1, 1 + static_cast<int>(i) * comm.size() / 3000);
    });
    check_survey(comm, shape, all, [](std::size_t) { return 0; });
  }
}

TEST_CASE("the survey of fewer points than a cluster holds, or none, tells their number") {
  const Comm comm(MPI_COMM_WORLD);
  for (const int count : {0, 1, 3, 50}) {
    const std::vector<Point> all = points_of(shapes().front(), count);
    check_survey(comm, shapes().front(), all,
                 [&](std::size_t i) { return static_cast<int>(i) % comm.size(); });
  }
}
