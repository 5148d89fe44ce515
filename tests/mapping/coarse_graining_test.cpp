// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

using namespace isthmus::mapping;
using isthmus::mesh::Mesh;

namespace {

Mesh mesh_of(const std::vector<double>& coordinates) {
  Mesh mesh("Scattered", 3);
  mesh.add_vertices(coordinates);
  return mesh;
}

} // namespace

TEST_CASE("the density of a particle is Lucy's kernel, as preCICE 3.4.1 has it") {
  // the vertices that a particle of the value 2 reaches with two radii, and what was recorded there
  const double x = 0.42;
  const double y = 0.37;
  const double z = 0.31;
  const auto place = [](int number) {
    const std::array<int, 3> at{number % 4, number / 4 % 3, number / 12};
    const std::array<double, 3> step{1.0 / 3, 0.5, 0.3};
    std::vector<double> result;
    for (std::size_t d = 0; d < 3; ++d) {
      result.push_back(at[d] * step[d] + 0.01 * std::sin(13.0 * number + 5.0 * double(d) + 1.0));
    }
    return result;
  };
  std::vector<double> places;
  for (int number = 0; number < 36; ++number) {
    const std::vector<double> one = place(number);
    places.insert(places.end(), one.begin(), one.end());
  }
  const Mesh mesh = mesh_of(places);
  const auto density = [&](double radius) {
    const Interpolation found = make_coarse_graining(mesh, radius, Grain::density)
                                    ->interpolate(std::vector<double>{x, y, z});
    std::vector<double> values(36, 0.0);
    for (std::size_t k = 0; k < found.columns.size(); ++k) {
      values[static_cast<std::size_t>(found.columns[k])] += 2 * found.weights[k];
    }
    return values;
  };
  std::vector<double> near(36, 0.0);
  near[17] = 41.975699071689597;
  near[18] = 0.032860418029791685;
  const std::vector<double> found = density(0.3);
  for (std::size_t v = 0; v < 36; ++v) {
    CHECK(found[v] == doctest::Approx(near[v]).epsilon(1e-12));
  }
  CHECK(density(2.5)[0] == doctest::Approx(0.19451682429256711).epsilon(1e-12));
  CHECK(density(2.5)[35] == doctest::Approx(0.14406879314380705).epsilon(1e-12));
}

TEST_CASE("the density of a particle has the integral one, and is none without a vertex around") {
  for (const int dimensions : {2, 3}) {
    const int n = dimensions == 2 ? 200 : 60;
    Mesh mesh("Grid", dimensions);
    std::vector<double> places;
    for (int i = 0; i < (dimensions == 2 ? n * n : n * n * n); ++i) {
      for (int d = 0, rest = i; d < dimensions; ++d, rest /= n) {
        places.push_back((rest % n + 0.5) / n);
      }
    }
    mesh.add_vertices(places);
    std::vector<double> middle(static_cast<std::size_t>(dimensions), 0.47);
    const auto graining = make_coarse_graining(mesh, 0.4, Grain::density);
    const Interpolation found = graining->interpolate(middle);
    CHECK(std::accumulate(found.weights.begin(), found.weights.end(), 0.0) /
              std::pow(n, dimensions) ==
          doctest::Approx(1).epsilon(1e-3));
    const Interpolation none =
        graining->interpolate(std::vector<double>(static_cast<std::size_t>(dimensions), 7.0));
    CHECK(none.counts[0] == 0);
    CHECK(none.distances2[0] == doctest::Approx(0.16)); // farther nothing matters
  }
}

TEST_CASE("an average over vertices has Lucy's weights, and needs no vertex within the radius") {
  const Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 2, 0, 9, 9, 9});
  const Interpolation found = make_coarse_graining(mesh, 2.0, Grain::average)
                                  ->interpolate(std::vector<double>{0.5, 0, 0, 0, 0, 0, 5, 5, 5});
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
