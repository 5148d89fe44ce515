// SPDX-License-Identifier: BSD-3-Clause
// How many digits ill-conditioned systems leave, beside a computation with more of them.
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace isthmus;

namespace {

using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Place = std::array<double, 2>;

/// Wendland's function C6 with support 1.
long double wendland_c6(const Place& a, const Place& b) {
  const long double dx = static_cast<long double>(a[0]) - static_cast<long double>(b[0]);
  const long double dy = static_cast<long double>(a[1]) - static_cast<long double>(b[1]);
  const long double r = std::sqrt(dx * dx + dy * dy);
  return r < 1 ? std::pow(1 - r, 8) * (((32 * r + 25) * r + 8) * r + 1) : 0;
}

Extended matrix_of(const std::vector<Place>& rows, const std::vector<Place>& columns) {
  Extended matrix(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          wendland_c6(rows[i], columns[j]);
    }
  }
  return matrix;
}

std::vector<double> flat(const std::vector<Place>& places) {
  std::vector<double> all;
  for (const Place& place : places) {
    all.insert(all.end(), place.begin(), place.end());
  }
  return all;
}

/// The two sides and the tip of a thin flap.
std::vector<Place> flap(int per_side) {
  std::vector<Place> places;
  for (const double x : {-0.05, 0.05}) {
    for (int i = 0; i < per_side; ++i) {
      places.push_back({x, static_cast<double>(i) / (per_side - 1)});
    }
  }
  for (const double x : {-0.025, 0.0, 0.025}) {
    places.push_back({x, 1});
  }
  return places;
}

/// Places of the fluid on one side.
std::vector<Place> points() {
  std::vector<Place> places;
  for (int i = 0; i < 100; ++i) {
    places.push_back({-0.05, i / 99.0});
  }
  return places;
}

/// A column of weights for each point.
Eigen::MatrixXd weights_of(const mapping::Mapping& mapping, const std::vector<Place>& at,
                           std::size_t num_vertices) {
  const mapping::Interpolation found = mapping.interpolate(flat(at));
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(num_vertices),
                                                  static_cast<Eigen::Index>(at.size()));
  std::size_t k = 0;
  for (std::size_t i = 0; i < found.counts.size(); ++i) {
    for (LocalIndex n = 0; n < found.counts[i]; ++n, ++k) {
      weights(found.columns[k], static_cast<Eigen::Index>(i)) += found.weights[k];
    }
  }
  return weights;
}

double largest(const Extended& matrix) {
  return static_cast<double>(matrix.cwiseAbs().maxCoeff());
}

} // namespace

TEST_CASE(
    "ill-conditioned radial functions lose digits of loads, and hardly any of smooth fields") {
  const std::vector<Place> fluid = points();
  for (const int per_side : {27, 100}) {
    const std::vector<Place> solid = flap(per_side);
    const Extended system = matrix_of(solid, solid);
    const Extended exact = system.llt().solve(matrix_of(solid, fluid));
    const Eigen::VectorXd spectrum =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(system.cast<double>()).eigenvalues();
    const double condition = spectrum.maxCoeff() / spectrum.minCoeff();
    CHECK(condition > (per_side == 27 ? 1e7 : 1e11));
    Extended load(fluid.size(), 1);
    Extended field(solid.size(), 1);
    for (Eigen::Index i = 0; i < load.rows(); ++i) {
      load(i, 0) = fluid[static_cast<std::size_t>(i)][1];
    }
    for (Eigen::Index i = 0; i < field.rows(); ++i) {
      const Place& place = solid[static_cast<std::size_t>(i)];
      field(i, 0) = std::sin(2 * place[1]) + place[0];
    }
    const mesh::Mesh mesh("Flap", 2, flat(solid), {}, {});
    const radial::RadialBasisSettings settings{
        {BasisKind::compact_polynomial_c6, 1}, Polynomial::off, {}, "here"};
    const std::unique_ptr<mapping::Mapping> mappings[] = {
        radial::make_global_radial_basis(mesh, settings),
        radial::make_partition_of_unity(mesh, settings, {300, 0.15, true})};
    for (const auto& mapping : mappings) {
      const Extended error = weights_of(*mapping, fluid, solid.size()).cast<long double>() - exact;
      const double rounding = std::numeric_limits<double>::epsilon();
      CHECK(largest(error * load) < rounding * condition * largest(exact * load));
      CHECK(largest(error.transpose() * field) < 1e-10);
    }
  }
}
