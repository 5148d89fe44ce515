// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/multiscale.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace isthmus::mapping;
using isthmus::mesh::Mesh;
using Join = MultiscaleSettings::Join;
using Type = MultiscaleSettings::Type;
using Profile = MultiscaleSettings::Profile;
using Section = MultiscaleSettings::Section;

namespace {

Mesh scattered(const std::vector<double>& coordinates) {
  Mesh mesh("Scattered", 3);
  mesh.add_vertices(coordinates);
  return mesh;
}

std::vector<double> mapped(const std::vector<double>& from, const std::vector<double>& values,
                           const std::vector<double>& to, const MultiscaleSettings& settings) {
  const Mesh mesh = scattered(from);
  const Interpolation found = make_geometric_multiscale(mesh, settings)->interpolate(to);
  std::vector<double> result(found.num_points());
  Rows(found.counts, found.columns, found.weights).apply(1, values, result);
  return result;
}

/// Midpoints of n x n cells of [-radius, radius]^2 across the x axis; those in a circle alone.
std::vector<double> cross_section(int n, double radius, bool circle) {
  std::vector<double> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double y = radius * ((2 * i + 1.0) / n - 1);
      const double z = radius * ((2 * j + 1.0) / n - 1);
      if (!circle || y * y + z * z < radius * radius) {
        points.insert(points.end(), {0.0, y, z});
      }
    }
  }
  return points;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

TEST_CASE("collecting across an axis is the mean over the cross section, as recorded elsewhere") {
  MultiscaleSettings settings;
  settings.type = Type::collect;
  std::vector<double> disk{0, 0, 0};
  for (double r : {0.2, 0.6, 1.0}) {
    disk.insert(disk.end(), {0, r, 0, 0, 0, r, 0, -r, 0, 0, 0, -r});
  }
  std::vector<double> speed;
  for (std::size_t i = 0; i < disk.size(); i += 3) {
    speed.push_back(2 - disk[i + 1] * disk[i + 1] - disk[i + 2] * disk[i + 2]);
  }
  for (Profile profile : {Profile::uniform, Profile::parabolic}) {
    settings.profile = profile;
    CHECK(mapped(disk, speed, {0, 0, 0}, settings)[0] ==
          doctest::Approx(1.5692307692307694).epsilon(1e-15));
  }
  // two pipes, each with its own mean; one that nothing ends in takes the nearest value
  CHECK(mapped({0, 0.1, 0, 0, -0.1, 0, 0, 5.1, 0}, {1, 2, 7}, {0, 0, 0, 0, 5, 0, 0, 9, 0},
               settings) == std::vector<double>{1.5, 7, 7});
}

TEST_CASE("profiles in circles and slits keep the mean of what is spread") {
  MultiscaleSettings settings;
  settings.radius = 2;
  const std::vector<double> points = cross_section(80, 2, true);
  for (double value : mapped({0, 0, 0}, {3}, points, settings)) {
    CHECK(value == 3);
  }
  settings.profile = Profile::parabolic;
  const std::vector<double> values = mapped({0, 0, 0}, {3}, points, settings);
  CHECK(mean(values) == doctest::Approx(3).epsilon(2e-3));
  CHECK(*std::max_element(values.begin(), values.end()) == doctest::Approx(6).epsilon(2e-3));
  CHECK(mapped({0, 0, 0}, {3}, {0, 2, 0}, settings)[0] == 0); // at the wall
  CHECK(mapped({0, 0, 0}, {3}, {0, 2.08, 0}, settings)[0] ==  // a bit outside
        doctest::Approx(6 * (1 - 1.04 * 1.04)));
  settings.slit = true;
  CHECK(mapped({0, 0, 0}, {3}, {0, 0, 0, 0, 1, 0, 0, 2, 0}, settings) ==
        std::vector<double>{4.5, 4.5 * 0.75, 0});
}

TEST_CASE("the profile in a square is the one that preCICE 3.4.1 has, along every axis") {
  MultiscaleSettings settings;
  settings.profile = Profile::parabolic;
  settings.section = Section::square;
  // recorded: at the places (0.2, 0), (0.6, 0), (1, 0), (0, 0)
  const std::vector<double> recorded{2.0221235736092411, 1.4158703116345726, 0, 2.096};
  for (int axis = 0; axis < 3; ++axis) {
    settings.axis = axis;
    for (int other = 1; other <= 2; ++other) {
      std::vector<double> points(12, 0.0);
      const auto along = static_cast<std::size_t>((axis + other) % 3);
      points[along] = 0.2;
      points[3 + along] = -0.6;
      points[6 + along] = 1;
      const std::vector<double> values = mapped({0, 0, 0}, {1}, points, settings);
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(values[i] == doctest::Approx(recorded[i]).epsilon(1e-14));
      }
    }
  }
  // recorded with the radius 0.75 along y, for the value 4 at the places z, x
  settings.axis = 1;
  settings.radius = 0.75;
  const std::vector<double> values =
      mapped({0, 0, 0}, {4}, {-0.7, 0, -0.5, -0.7, 0, 0.2, 0, 0, 0.6, 0.4, 0, 0.2}, settings);
  const std::vector<double> expected{0.82593552133171821, 1.2976896129619653, 3.4153968049872607,
                                     5.8549465309323816};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("from a plane to a pipe, profiles are those that preCICE 3.4.1 has") {
  MultiscaleSettings settings;
  settings.join = Join::axial_plane;
  settings.profile = Profile::parabolic;
  const std::vector<double> plane{0, -0.8, 0, 0, -0.5, 0, 0, -0.1, 0,
                                  0, 0.2,  0, 0, 0.6,  0, 0, 0.9,  0};
  std::vector<double> values;
  for (std::size_t i = 0; i < plane.size(); i += 3) {
    values.push_back(4 - 2 * plane[i + 1]);
  }
  // recorded in a circle: the farthest point of each vertex gets 0
  const std::vector<double> disk{0, 0.3,   0,    0, 0.18,  0.24,  0, 0,    0.3,  0, -0.24, 0.18,
                                 0, 0,     -0.3, 0, 0.55,  0,     0, 0.33, 0.44, 0, 0,     0.55,
                                 0, -0.44, 0.33, 0, 0,     -0.55, 0, 0.95, 0,    0, 0.57,  0.76,
                                 0, 0,     0.95, 0, -0.76, 0.57,  0, 0,    -0.95};
  const std::vector<double> in_circle{4.5719714964370546,
                                      3.4774346793349173,
                                      4.9863013698630132,
                                      5.2808767123287668,
                                      4.9863013698630132,
                                      3.7171996542783057,
                                      0,
                                      3.6821917808219173,
                                      0,
                                      3.6821917808219173,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0};
  const std::vector<double> circle = mapped(plane, values, disk, settings);
  for (std::size_t i = 0; i < in_circle.size(); ++i) {
    CHECK(circle[i] == doctest::Approx(in_circle[i]).epsilon(1e-12));
  }
  // recorded in a square, at y and z
  settings.section = Section::square;
  const std::vector<double> points{0,   -0.75, -0.6, 0,   -0.75, 0.1, 0,  -0.2,
                                   0.7, 0,     0.15, 0.1, 0,     0.8, 0.7};
  const std::vector<double> in_square{5.9609232472044908, 8.7573671619384257, 3.1950089930958949,
                                      4.9997215235337835, 2.0435635518068214};
  const std::vector<double> square = mapped(plane, values, points, settings);
  for (std::size_t i = 0; i < in_square.size(); ++i) {
    CHECK(square[i] == doctest::Approx(in_square[i]).epsilon(1e-12));
  }
  CHECK(mapped({0, 1, 0}, {1}, {0, 1, 0}, settings)[0] == 0); // a vertex at the wall
  settings.section = Section::circle;
  CHECK(mapped({0, 0.5, 0}, {3}, {0, 0.5, 0}, settings)[0] == 4); // a single point
}

TEST_CASE("from a pipe to a plane, a vertex that nothing belongs to gets 0") {
  MultiscaleSettings settings;
  settings.join = Join::axial_plane;
  settings.type = Type::collect;
  const std::vector<double> grid{0, 0, -0.5, 0, 0, 0.5, 0, 0.6, -0.5, 0, 0.6, 0.5};
  CHECK(mapped(grid, {1, 2, 3, 5}, {0, 0.1, 0, 0, 0.5, 0, 0, 0.31, 0}, settings) ==
        std::vector<double>{1.5, 4, 0});
}

TEST_CASE("around an axis, vertices belong together by their place along it") {
  MultiscaleSettings settings;
  settings.join = Join::radial;
  const std::vector<double> line{0, 0, 0, 1, 0, 0, 2, 0, 0};
  const std::vector<double> wall{0.2, 1, 0, 0.4, 0, 1, 1.4, -1, 0, 2.4, 0, -1, 1.6, 1, 0};
  CHECK(mapped(line, {10, 20, 30}, wall, settings) == std::vector<double>{10, 10, 20, 30, 30});
  settings.type = Type::collect;
  CHECK(mapped(wall, {1, 2, 3, 4, 5}, line, settings) == std::vector<double>{1.5, 3, 4.5});
  CHECK(mapped(wall, {1, 2, 3, 4, 5}, {0, 0, 0, 0.85, 0, 0, 1.0, 0, 0}, settings)[1] == 2);
}

TEST_CASE("only what is spread from a line must lie within 1.05 of the radius") {
  MultiscaleSettings settings;
  settings.radius = 0.5;
  settings.place = "<mapping:axial-geometric-multiscale> in line 7";
  const auto spread = [&](double z) { return mapped({0, 0, 0}, {1}, {0, 0, z}, settings); };
  CHECK(spread(0.52) == std::vector<double>{1});
  CHECK_THROWS_WITH(spread(0.8),
                    doctest::Contains("line 7: the vertex at (0, 0, 0.8) lies 1.6 times"));
  CHECK_THROWS_WITH(spread(0.53), doctest::Contains("1.06 times"));
  settings.join = Join::axial_plane;
  CHECK(spread(0.8) == std::vector<double>{1});
  settings.join = Join::radial;
  settings.radius = 0;
  CHECK(spread(0.8) == std::vector<double>{1});
  settings.type = Type::collect;
  for (const Join join : {Join::axial_line, Join::axial_plane, Join::radial}) {
    settings.join = join;
    CHECK(mapped({0, 0, 0.8}, {3}, {0, 0, 0}, settings) == std::vector<double>{3});
  }
}
