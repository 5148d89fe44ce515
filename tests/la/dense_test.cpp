// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/dense.hpp"
#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::la;

TEST_CASE("the pseudo-inverse of independent columns, and of one twice") {
  const std::vector<double> a{1, 1, 1, 0, 1, 2}; // 1, t
  const PseudoInverse of_line = pseudo_inverse(a, 3, 2, 1e-6);
  CHECK(of_line.rank == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        product += of_line.inverse[2 * k + i] * a[3 * j + k];
      }
      CHECK(product == doctest::Approx(i == j ? 1 : 0));
    }
  }
  const double off = 1 + 1e-8; // within the threshold
  const PseudoInverse of_twice = pseudo_inverse(std::vector<double>{1, 1, 1, off}, 2, 2, 1e-6);
  CHECK(of_twice.rank == 1);
  for (const double entry : of_twice.inverse) {
    CHECK(entry == doctest::Approx(0.25));
  }
}

TEST_CASE("eigenvalues of a symmetric matrix ascend, and its vectors are orthonormal") {
  const Modes modes = symmetric_modes(std::vector<double>{2, 1, 1, 2}, 2);
  REQUIRE(modes.values.size() == 2);
  CHECK(modes.values[0] == doctest::Approx(1));
  CHECK(modes.values[1] == doctest::Approx(3));
  const double half = std::sqrt(0.5);
  CHECK(std::abs(modes.vectors[0]) == doctest::Approx(half));
  CHECK(modes.vectors[1] == doctest::Approx(-modes.vectors[0]));
  CHECK(std::abs(modes.vectors[2]) == doctest::Approx(half));
  CHECK(modes.vectors[3] == doctest::Approx(modes.vectors[2]));
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
