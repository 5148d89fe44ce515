// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/dense.hpp"
#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::la;

TEST_CASE("QR: the product is the matrix, the columns are orthonormal") {
  const std::vector<double> a{1, 2, 3, 4, -1, 0, 2, 5};
  const Factors factors = qr(a, 4, 2);
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double product =
          factors.q[i] * factors.r[2 * j] + factors.q[4 + i] * factors.r[2 * j + 1];
      CHECK(product == doctest::Approx(a[4 * j + i]));
    }
  }
  CHECK(factors.r[1] == 0);
  double dots[3] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    dots[0] += factors.q[i] * factors.q[i];
    dots[1] += factors.q[i] * factors.q[4 + i];
    dots[2] += factors.q[4 + i] * factors.q[4 + i];
  }
  CHECK(dots[0] == doctest::Approx(1));
  CHECK(std::abs(dots[1]) < 1e-14);
  CHECK(dots[2] == doctest::Approx(1));
}

TEST_CASE("least squares: a line through points, and the shortest of many solutions") {
  const std::vector<double> a{1, 1, 1, 0, 1, 2}; // 1, t
  const std::vector<double> line = least_squares(a, 3, 2, std::vector{1.0, 3.0, 5.0});
  CHECK(line[0] == doctest::Approx(1));
  CHECK(line[1] == doctest::Approx(2));
  const std::vector<double> twice{1, 1, 1, 1};
  const std::vector<double> shortest = least_squares(twice, 2, 2, std::vector{2.0, 2.0});
  CHECK(shortest[0] == doctest::Approx(1));
  CHECK(shortest[1] == doctest::Approx(1));
}

TEST_CASE("symmetric systems, definite and singular") {
  const SymmetricSolver definite(std::vector<double>{4, 1, 1, 3}, 2);
  std::vector<double> x{1, 2};
  definite.solve(x);
  CHECK_FALSE(definite.is_singular());
  CHECK(x[0] == doctest::Approx(1.0 / 11));
  CHECK(x[1] == doctest::Approx(7.0 / 11));
  const SymmetricSolver singular(std::vector<double>{1, -1, -1, 1}, 2);
  std::vector<double> y{2, -2};
  singular.solve(y);
  CHECK(singular.is_singular());
  CHECK(y[0] == doctest::Approx(1));
  CHECK(y[1] == doctest::Approx(-1));
  const double off = 1 + 1e-13; // as of entries that are sums of many others
  const SymmetricSolver nearly(std::vector<double>{off, -1, -1, off}, 2);
  y = {2, -2};
  nearly.solve(y);
  CHECK(nearly.is_singular());
  CHECK(y[0] == doctest::Approx(1));
  CHECK(y[1] == doctest::Approx(-1));
  CHECK_THROWS_AS(SymmetricSolver(std::vector<double>{1}, 2), Error);
}

TEST_CASE("ends of the spectrum of a tridiagonal matrix") {
  const Extremes ends = eigenvalue_extremes(std::vector{2.0, 2.0, 2.0}, std::vector{-1.0, -1.0});
  CHECK(ends.smallest == doctest::Approx(2 - std::sqrt(2.0)));
  CHECK(ends.largest == doctest::Approx(2 + std::sqrt(2.0)));
}
