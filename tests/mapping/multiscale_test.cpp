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

TEST_CASE("profiles keep the mean of what is spread") {
  MultiscaleSettings settings;
  settings.radius = 2;
  for (Section section : {Section::circle, Section::square}) {
    settings.section = section;
    const std::vector<double> points = cross_section(80, 2, section == Section::circle);
    settings.profile = Profile::uniform;
    for (double value : mapped({0, 0, 0}, {3}, points, settings)) {
      CHECK(value == 3);
    }
    settings.profile = Profile::parabolic;
    const std::vector<double> values = mapped({0, 0, 0}, {3}, points, settings);
    CHECK(mean(values) == doctest::Approx(3).epsilon(2e-3));
    CHECK(*std::max_element(values.begin(), values.end()) ==
          doctest::Approx(section == Section::circle ? 6 : 3 * 2.1157).epsilon(2e-3));
    CHECK(mapped({0, 0, 0}, {3}, {0, 2, 0}, settings)[0] == 0); // at the wall
  }
  settings.slit = true;
  CHECK(mapped({0, 0, 0}, {3}, {0, 0, 0, 0, 1, 0, 0, 2, 0}, settings) ==
        std::vector<double>{4.5, 4.5 * 0.75, 0});
}

TEST_CASE("the parabola across a planar domain makes the flow in a pipe") {
  MultiscaleSettings settings;
  settings.join = Join::axial_plane;
  settings.profile = Profile::parabolic;
  std::vector<double> plane; // the mean of 2 (1 - y^2 - z^2) over z
  std::vector<double> means;
  for (int i = 0; i <= 20; ++i) {
    const double y = -1 + 0.1 * i;
    plane.insert(plane.end(), {0, y, 0});
    means.push_back(4.0 / 3.0 * (1 - y * y));
  }
  for (double y : {-0.8, 0.0, 0.5}) {
    for (double z : {0.0, 0.3, -0.55}) {
      CHECK(mapped(plane, means, {0, y, z}, settings)[0] ==
            doctest::Approx(2 * (1 - y * y - z * z)).epsilon(1e-12));
    }
  }
  settings.type = Type::collect; // and back: each vertex of the plane sees the points above it
  const std::vector<double> grid{0, 0, -0.5, 0, 0, 0.5, 0, 0.6, -0.5, 0, 0.6, 0.5};
  CHECK(mapped(grid, {1, 2, 3, 5}, {0, 0.1, 0, 0, 0.5, 0, 0, 0.31, 0}, settings) ==
        std::vector<double>{1.5, 4, 3}); // the last one: none is nearest, so the nearest value
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

TEST_CASE("a radius that does not fit is an error that names the vertex") {
  MultiscaleSettings settings;
  settings.radius = 0.5;
  settings.place = "<mapping:axial-geometric-multiscale> in line 7";
  CHECK_THROWS_WITH(mapped({0, 0, 0}, {1}, {0, 0, 0.8}, settings),
                    doctest::Contains("line 7: the vertex at (0, 0, 0.8) lies 1.6 times"));
  settings.type = Type::collect;
  CHECK_THROWS_WITH(mapped({0, 0, 0.8}, {1}, {0, 0, 0}, settings), doctest::Contains("1.6 times"));
}

TEST_CASE("coarse graining keeps sums, has Lucy's weights, and needs no vertex within the radius") {
  const Mesh mesh = scattered({0, 0, 0, 1, 0, 0, 0, 2, 0, 9, 9, 9});
  const Interpolation found = make_coarse_graining(mesh, 2.0)->interpolate(
      std::vector<double>{0.5, 0, 0, 0, 0, 0, 5, 5, 5});
  CHECK(found.counts == std::vector<isthmus::LocalIndex>{2, 3, 1});
  CHECK(found.weights[0] == doctest::Approx(0.5));
  const double near = (1 + 1.5) * 0.125; // at half the radius; 1 at none
  CHECK(found.weights[found.columns[2] == 0 ? 2 : 3] == doctest::Approx(1 / (1 + near)));
  double sum = 0;
  for (std::size_t k = 2; k < 5; ++k) {
    sum += found.weights[k];
  }
  CHECK(sum == doctest::Approx(1).epsilon(1e-15));
  CHECK(found.columns[5] == 3);
  CHECK(found.distances2[0] == 4);                   // all within the radius matter
  CHECK(found.distances2[2] == doctest::Approx(48)); // farther than that
}
