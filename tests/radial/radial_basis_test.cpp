// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_basis.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"

#include "sanitized.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using isthmus::LocalIndex;
using namespace isthmus;
using namespace isthmus::mapping;
using namespace isthmus::radial;
using isthmus::geometry::Point;
using isthmus::mesh::Mesh;
using Kind = radial::RadialFunction::Kind;

namespace {

constexpr Kind all_kinds[] = {Kind::compact_polynomial_c0,
                              Kind::compact_polynomial_c2,
                              Kind::compact_polynomial_c4,
                              Kind::compact_polynomial_c6,
                              Kind::compact_polynomial_c8,
                              Kind::compact_tps_c2,
                              Kind::gaussian,
                              Kind::multiquadrics,
                              Kind::inverse_multiquadrics,
                              Kind::thin_plate_splines,
                              Kind::volume_splines};

/// Parameters with which the matrices of the clouds below are well conditioned.
radial::RadialFunction sensible(Kind kind) {
  switch (kind) {
    case Kind::gaussian:
      return {kind, 6};
    case Kind::multiquadrics:
    case Kind::inverse_multiquadrics:
      return {kind, 0.1};
    default:
      return {kind, 0.7};
  }
}

/// A jittered grid of n points per direction on the unit square (2D) or a curved sheet (3D).
Mesh sheet(int dimensions, int n, double height = 0.3) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> shift(-0.2 / n, 0.2 / n);
  Mesh mesh("Sheet", dimensions);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) / (n - 1) + shift(engine);
      const double y = static_cast<double>(j) / (n - 1) + shift(engine);
      const double z = height * std::sin(2 * x + y);
      mesh.add_vertices(dimensions == 2 ? std::vector{x, y} : std::vector{x, y, z});
    }
  }
  return mesh;
}

std::vector<double> points_near(int dimensions, int count, unsigned seed, double height = 0.3) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(0, 1);
  std::vector<double> points;
  for (int i = 0; i < count; ++i) {
    const double x = draw(engine);
    const double y = draw(engine);
    points.insert(points.end(), {x, y});
    if (dimensions == 3) {
      points.push_back(height * std::sin(2 * x + y) + 0.02 * (draw(engine) - 0.5));
    }
  }
  return points;
}

using Field = double (*)(const Point&);

std::vector<double> values_of(int dimensions, std::span<const double> points, Field f) {
  std::vector<double> values;
  for (std::size_t i = 0; i < isthmus::geometry::point_count(dimensions, points); ++i) {
    values.push_back(f(isthmus::geometry::point_at(dimensions, points, i)));
  }
  return values;
}

double one(const Point&) {
  return 1;
}
double linear(const Point& x) {
  return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2];
}
double wave(const Point& x) {
  return std::sin(3 * x[0] + x[1]) + x[2] * x[1];
}

std::vector<double> apply(const Mapping& mapping, const Mesh& mesh,
                          const std::vector<double>& points, Field f) {
  const Interpolation found = mapping.interpolate(points);
  std::vector<double> result(found.num_points());
  Rows(found.counts, found.columns, found.weights)
      .apply(1, values_of(mesh.dimensions(), mesh.coordinates(), f), result);
  return result;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

/// The textbook form: coefficients from values, then evaluation.
std::vector<double> reference(const radial::RadialBasisSettings& settings, const Mesh& mesh,
                              const std::vector<double>& points, Field f) {
  const int dim = mesh.dimensions();
  const auto n = static_cast<Eigen::Index>(mesh.num_vertices());
  const auto at = [dim](std::span<const double> x, Eigen::Index i) {
    return isthmus::geometry::point_at(dim, x, static_cast<std::size_t>(i));
  };
  const auto phi = [&settings](const Point& a, const Point& b) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += settings.dead[k] ? 0 : (a[k] - b[k]) * (a[k] - b[k]);
    }
    return settings.function(std::sqrt(sum));
  };
  const auto terms = [&](const Point& x) {
    std::vector<double> row{1};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dim); ++k) {
      if (!settings.dead[k]) {
        row.push_back(x[k]);
      }
    }
    return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(row.data(), Eigen::Index(row.size())));
  };
  Eigen::MatrixXd a(n, n);
  Eigen::MatrixXd q(n, terms({}).size());
  const auto values = values_of(dim, mesh.coordinates(), f);
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(values.data(), n);
  for (Eigen::Index i = 0; i < n; ++i) {
    q.row(i) = terms(at(mesh.coordinates(), i));
    for (Eigen::Index j = 0; j < n; ++j) {
      a(i, j) = phi(at(mesh.coordinates(), i), at(mesh.coordinates(), j));
    }
  }
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(q.cols());
  Eigen::VectorXd alpha;
  if (settings.polynomial == radial::Polynomial::on) {
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + q.cols(), n + q.cols());
    whole << a, q, q.transpose(), Eigen::MatrixXd::Zero(q.cols(), q.cols());
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + q.cols());
    right.head(n) = b;
    const Eigen::VectorXd solution = whole.fullPivLu().solve(right);
    alpha = solution.head(n);
    beta = solution.tail(q.cols());
  } else {
    if (settings.polynomial == radial::Polynomial::separate) {
      beta = q.colPivHouseholderQr().solve(b);
    }
    alpha = a.fullPivLu().solve(b - q * beta);
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < isthmus::geometry::point_count(dim, points); ++i) {
    const Point x = at(points, static_cast<Eigen::Index>(i));
    double sum = beta.dot(terms(x));
    for (Eigen::Index j = 0; j < n; ++j) {
      sum += alpha[j] * phi(x, at(mesh.coordinates(), j));
    }
    result.push_back(sum);
  }
  return result;
}

} // namespace

TEST_CASE("compact functions are one at zero up to a factor, smooth, and end at their support") {
  for (const Kind kind : all_kinds) {
    const radial::RadialFunction f = sensible(kind);
    if (f.positive_definite()) {
      CHECK(f(0) > 0);
      CHECK(f(0.1) < f(0));
    }
    if (kind <= Kind::compact_tps_c2) {
      CHECK(f(0.7) == 0);
      CHECK(f(0.699999) == doctest::Approx(0).epsilon(1e-5));
      CHECK(f(2) == 0);
    }
  }
  const double shape = radial::RadialFunction::gaussian_shape(0.5);
  CHECK(radial::RadialFunction{Kind::gaussian, shape}(0.5) == doctest::Approx(1e-9));
  CHECK(radial::RadialFunction{Kind::compact_polynomial_c2, 2}(1) == doctest::Approx(3.0 / 16));
  CHECK(radial::RadialFunction{Kind::compact_polynomial_c4, 2}(1) == doctest::Approx(20.75 / 64));
  CHECK(radial::RadialFunction{Kind::compact_polynomial_c6, 2}(1) == doctest::Approx(15.25 / 256));
  CHECK(radial::RadialFunction{Kind::thin_plate_splines, 0}(2) == doctest::Approx(4 * std::log(2)));
}

TEST_CASE("global radial basis functions equal the solution by coefficients") {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = sheet(dimensions, 7);
    const auto points = points_near(dimensions, 300, 3); // more than one block of solutions
    for (const Kind kind : all_kinds) {
      for (const radial::Polynomial polynomial :
           {radial::Polynomial::off, radial::Polynomial::on, radial::Polynomial::separate}) {
        CAPTURE(dimensions);
        CAPTURE(static_cast<int>(kind));
        CAPTURE(static_cast<int>(polynomial));
        const radial::RadialBasisSettings settings{sensible(kind), polynomial, {}, "here"};
        const auto mapping = radial::make_global_radial_basis(mesh, settings);
        CHECK(difference(apply(*mapping, mesh, points, wave),
                         reference(settings, mesh, points, wave)) < 1e-8);
      }
    }
  }
}

TEST_CASE("radial basis functions are exact at their vertices and for linear functions" *
          doctest::skip(is_sanitized)) {
  for (const int dimensions : {2, 3}) {
    const Mesh mesh = sheet(dimensions, 20);
    const std::vector<double> vertices(mesh.coordinates().begin(), mesh.coordinates().end());
    const auto points = points_near(dimensions, 500, 4);
    for (const Kind kind : {Kind::compact_polynomial_c6, Kind::thin_plate_splines}) {
      const radial::RadialBasisSettings settings{
          sensible(kind), radial::Polynomial::separate, {}, "here"};
      for (const bool global : {true, false}) {
        CAPTURE(global);
        CAPTURE(dimensions);
        const auto mapping = global ? radial::make_global_radial_basis(mesh, settings)
                                    : make_partition_of_unity(mesh, settings, {});
        CHECK(difference(apply(*mapping, mesh, vertices, wave),
                         values_of(dimensions, vertices, wave)) < 1e-7);
        for (const Field f : {one, linear}) {
          CHECK(difference(apply(*mapping, mesh, points, f), values_of(dimensions, points, f)) <
                1e-9);
        }
      }
    }
  }
}

TEST_CASE("one cluster is the global mapping; many are nearly as good" *
          doctest::skip(is_sanitized)) {
  const Mesh mesh = sheet(2, 25);
  const auto points = points_near(2, 500, 5);
  const auto exact = values_of(2, points, wave);
  for (const radial::Polynomial polynomial :
       {radial::Polynomial::off, radial::Polynomial::separate}) {
    const radial::RadialBasisSettings settings{
        {Kind::compact_polynomial_c4, 0.4}, polynomial, {}, "here"};
    const auto global =
        apply(*radial::make_global_radial_basis(mesh, settings), mesh, points, wave);
    const auto whole = apply(*radial::make_partition_of_unity(mesh, settings, {1000, 0.15, true}),
                             mesh, points, wave);
    CHECK(difference(global, whole) < 1e-12);
    for (const bool project : {false, true}) {
      const auto mapping = radial::make_partition_of_unity(mesh, settings, {50, 0.15, project});
      const auto parts = apply(*mapping, mesh, points, wave);
      CHECK(difference(parts, exact) < 5 * difference(global, exact));
      const Interpolation rows = mapping->interpolate(points);
      CHECK(rows.columns.size() < points.size() / 2 * 250); // sparse
    }
  }
}

TEST_CASE("results do not depend on how vertices are numbered") {
  const Mesh mesh = sheet(3, 15);
  std::vector<LocalIndex> order(225);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Mesh shuffled("Sheet", 3);
  for (LocalIndex v : order) {
    shuffled.add_vertices(mesh.vertex(v));
  }
  const auto points = points_near(3, 100, 6);
  const radial::RadialBasisSettings settings{
      {Kind::compact_polynomial_c6, 0.5}, radial::Polynomial::separate, {}, ""};
  CHECK(apply(*radial::make_partition_of_unity(mesh, settings, {}), mesh, points, wave) ==
        apply(*radial::make_partition_of_unity(shuffled, settings, {}), shuffled, points, wave));
  CHECK(apply(*radial::make_global_radial_basis(mesh, settings), mesh, points, wave) ==
        apply(*radial::make_global_radial_basis(shuffled, settings), shuffled, points, wave));
}

TEST_CASE("dead axes do not matter, flat clouds need them only in one system") {
  const Mesh mesh = sheet(3, 8);
  Mesh flat("Flat", 3);
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    flat.add_vertices(std::vector{mesh.vertex(v)[0], mesh.vertex(v)[1], 0.4});
  }
  const auto points = points_near(3, 100, 7);
  radial::RadialBasisSettings settings{
      {Kind::thin_plate_splines, 1}, radial::Polynomial::on, {false, false, true}, "here"};
  const auto xy = [](const Point& x) { return x[0] * x[1] + x[0]; };
  CHECK(difference(apply(*radial::make_global_radial_basis(mesh, settings), mesh, points, xy),
                   reference(settings, mesh, points, xy)) < 1e-9);
  CHECK(difference(apply(*radial::make_global_radial_basis(flat, settings), flat, points, xy),
                   reference(settings, mesh, points, xy)) < 1e-9);
  settings.dead = {};
  CHECK_THROWS_WITH_AS((void)radial::make_global_radial_basis(flat, settings)->interpolate(points),
                       doctest::Contains("z-dead"), std::exception);
  // a separate polynomial has no slope across the plane
  settings.polynomial = radial::Polynomial::separate;
  settings.function = {Kind::compact_polynomial_c4, 0.5};
  const auto plane = [](const Point& x) { return 2 * x[0] - x[1]; };
  for (const auto& mapping : {radial::make_global_radial_basis(flat, settings),
                              radial::make_partition_of_unity(flat, settings, {20, 0.15, true})}) {
    CHECK(difference(apply(*mapping, flat, points, plane), values_of(3, points, plane)) < 1e-9);
  }
}

TEST_CASE("weights sum to one, so that transposed they keep sums") {
  const Mesh mesh = sheet(3, 15);
  const auto points = points_near(3, 200, 8);
  const radial::RadialBasisSettings settings{
      {Kind::compact_polynomial_c6, 0.5}, radial::Polynomial::separate, {}, ""};
  const Interpolation found =
      radial::make_partition_of_unity(mesh, settings, {})->interpolate(points);
  CHECK(std::accumulate(found.weights.begin(), found.weights.end(), 0.0) ==
        doctest::Approx(200).epsilon(1e-12));
}

TEST_CASE("on a curved sheet, clusters are as good as all vertices together" *
          doctest::skip(is_sanitized)) {
  const Mesh mesh = sheet(3, 24, 0.1);
  std::vector<double> points;
  for (int i = 0; i < 400; ++i) { // on the surface
    const double x = 0.5 + 0.45 * std::sin(3.7 * i);
    const double y = 0.5 + 0.45 * std::cos(2.3 * i);
    points.insert(points.end(), {x, y, 0.1 * std::sin(2 * x + y)});
  }
  const auto exact = values_of(3, points, wave);
  for (const Kind kind : {Kind::compact_polynomial_c6, Kind::thin_plate_splines}) {
    const radial::RadialBasisSettings settings{
        {kind, 0.7}, radial::Polynomial::separate, {}, "here"};
    const auto global =
        apply(*radial::make_global_radial_basis(mesh, settings), mesh, points, wave);
    const auto parts =
        apply(*radial::make_partition_of_unity(mesh, settings, {}), mesh, points, wave);
    CHECK(difference(parts, exact) < 3 * difference(global, exact));
  }
}

TEST_CASE("few vertices, far points, empty meshes") {
  Mesh mesh("Few", 3);
  const radial::RadialBasisSettings settings{
      {Kind::compact_polynomial_c2, 1}, radial::Polynomial::separate, {}, ""};
  const std::vector<double> far{100, 100, 100};
  CHECK(radial::make_partition_of_unity(mesh, settings, {})->interpolate(far).counts[0] == 0);
  CHECK(radial::make_global_radial_basis(mesh, settings)->interpolate(far).counts[0] == 0);
  mesh.add_vertices(std::vector{1.0, 2.0, 3.0});
  CHECK(apply(*radial::make_partition_of_unity(mesh, settings, {}), mesh, far, one)[0] ==
        doctest::Approx(1));
  mesh.add_vertices(std::vector{1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 0.0, 9.0, 1.0});
  CHECK(apply(*radial::make_partition_of_unity(mesh, settings, {1, 0.15, true}), mesh, far,
              one)[0] == doctest::Approx(1));
  CHECK(radial::make_partition_of_unity(mesh, settings, {1, 0.15, true})
            ->interpolate({})
            .num_points() == 0);
}

TEST_CASE("errors name the mapping, the mesh and what to do") {
  Mesh mesh = sheet(2, 4);
  mesh.add_vertices(mesh.vertex(5));
  const radial::RadialBasisSettings settings{{Kind::compact_polynomial_c6, 1},
                                             radial::Polynomial::separate,
                                             {},
                                             "<mapping:rbf> in line 7"};
  for (const auto& mapping : {radial::make_global_radial_basis(mesh, settings),
                              radial::make_partition_of_unity(mesh, settings, {})}) {
    CHECK_THROWS_WITH_AS((void)mapping->interpolate(std::vector{0.5, 0.5}),
                         doctest::Contains("line 7: mesh \"Sheet\" has two vertices at ("),
                         std::exception);
  }
  const radial::RadialBasisSettings wide{
      {Kind::gaussian, 1e-3}, radial::Polynomial::separate, {}, "here"};
  const Mesh fine = sheet(2, 10);
  CHECK_THROWS_WITH_AS(
      (void)radial::make_global_radial_basis(fine, wide)->interpolate(std::vector{0.5, 0.5}),
      doctest::Contains("smaller support-radius"), std::exception);
}
