// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/comm.hpp"
#include "isthmus/mapping/radial_basis.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace isthmus::mapping;
using isthmus::mesh::Mesh;
using Kind = RadialFunction::Kind;

namespace {

std::vector<double> draw(int count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) {
    value = uniform(engine);
  }
  return values;
}

/// A wavy sheet, jittered; points of a flat one have z = 0.
Mesh wavy(int n, bool flat) {
  Mesh mesh("Wavy", 3);
  const std::vector<double> shift = draw(2 * n * n, 4);
  for (int i = 0; i < n * n; ++i) {
    const auto k = static_cast<std::size_t>(2 * i);
    const double x = (i % n + 0.3 * shift[k]) / n;
    const double y = (i / n + 0.3 * shift[k + 1]) / n;
    mesh.add_vertices(std::vector{x, y, flat ? 0.0 : 0.2 * std::sin(4 * x + y)});
  }
  return mesh;
}

/// Largest entry of |M v - dense M v| and of |M' w - dense M' w| over those of the dense products.
double difference_from_dense(const Mesh& mesh, const RadialBasisSettings& settings) {
  const isthmus::comm::Comm comm;
  const std::vector<double> points = draw(3 * 40, 9);
  const auto mapping = make_global_radial_basis(mesh, settings);
  const Interpolation dense = mapping->interpolate(points);
  const auto sparse = mapping->distribute(comm, points);
  REQUIRE(sparse != nullptr);
  REQUIRE(sparse->vertices().size() == static_cast<std::size_t>(mesh.num_vertices()));
  const std::size_t n = sparse->vertices().size();
  constexpr std::size_t m = 40;
  constexpr std::size_t width = 3;
  const std::vector<double> values = draw(static_cast<int>(n * width), 5);
  const std::vector<double> given = draw(m * width, 6);
  std::vector<double> interpolated(m * width);
  std::vector<double> spread(n * width);
  sparse->interpolate(width, values, interpolated);
  sparse->spread(width, given, spread);
  std::vector<double> by_vertex(n * width);
  for (std::size_t i = 0; i < n * width; ++i) {
    by_vertex[static_cast<std::size_t>(sparse->vertices()[i / width]) * width + i % width] =
        values[i];
  }
  std::vector<double> expected(m * width, 0.0);
  std::vector<double> transposed(n * width, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = static_cast<std::size_t>(dense.columns[i * n + k]);
      for (std::size_t c = 0; c < width; ++c) {
        expected[i * width + c] += dense.weights[i * n + k] * by_vertex[column * width + c];
        transposed[column * width + c] += dense.weights[i * n + k] * given[i * width + c];
      }
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < m * width; ++i) {
    largest = std::max(largest, std::abs(interpolated[i] - expected[i]));
  }
  for (std::size_t i = 0; i < n * width && !settings.rescaled; ++i) {
    const auto vertex = static_cast<std::size_t>(sparse->vertices()[i / width]);
    largest = std::max(largest, std::abs(spread[i] - transposed[vertex * width + i % width]));
  }
  return largest;
}

} // namespace

TEST_CASE("sparse solutions of radial basis functions are those of dense rows") {
  for (const bool flat : {false, true}) {
    const Mesh mesh = wavy(14, flat);
    for (const Kind kind : {Kind::compact_polynomial_c0, Kind::compact_polynomial_c2,
                            Kind::compact_polynomial_c6, Kind::compact_tps_c2}) {
      for (const Polynomial polynomial : {Polynomial::off, Polynomial::separate}) {
        for (const double tolerance : {0.0, 1e-12}) {
          RadialBasisSettings settings{{kind, 0.16}, polynomial, {}, "here"};
          settings.tolerance = tolerance;
          CHECK(difference_from_dense(mesh, settings) < 1e-9);
          settings.rescaled = tolerance > 0;
          CHECK(difference_from_dense(mesh, settings) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE("dense matrices and functions without support have no sparse form") {
  const isthmus::comm::Comm comm;
  const Mesh mesh = wavy(8, false);
  const std::vector<double> points = draw(30, 2);
  RadialBasisSettings settings{{Kind::compact_polynomial_c2, 5.0}};
  CHECK(make_global_radial_basis(mesh, settings)->distribute(comm, points) == nullptr);
  settings.tolerance = 1e-9; // an iteration works on it all the same
  CHECK(make_global_radial_basis(mesh, settings)->distribute(comm, points) != nullptr);
  settings.function = {Kind::thin_plate_splines, 1};
  CHECK(make_global_radial_basis(mesh, settings)->distribute(comm, points) == nullptr);
  CHECK(make_nearest_neighbor(mesh)->distribute(comm, points) == nullptr);
}

TEST_CASE("a matrix without factors is an error that says what to do") {
  const isthmus::comm::Comm comm;
  const Mesh mesh = wavy(14, false);
  RadialBasisSettings settings{{Kind::compact_polynomial_c8, 50.0}, Polynomial::off, {}, "here"};
  settings.tolerance = 1e-9;
  const auto mapping = make_global_radial_basis(mesh, settings);
  CHECK_THROWS_WITH(static_cast<void>(mapping->distribute(comm, draw(30, 2))),
                    doctest::Contains("here: the matrix of 196 vertices is not positive definite"));
}
