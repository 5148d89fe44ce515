// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/pivoted_factors.hpp"

#include <doctest/doctest.h>

#include <array>

using isthmus::convection::PivotedFactors;

TEST_CASE("a system whose first pivot stands in another row has its solution") {
  PivotedFactors factors;
  factors.factor({0, 2, 1, //
                  4, 1, 0, //
                  1, 0, 3},
                 3, 1e-12);
  std::array<double, 3> x = {2 * 2 + 3, 4 * 1 + 2, 1 + 3 * 3}; // of 1, 2, 3
  factors.solve(x);
  CHECK(x[0] == doctest::Approx(1));
  CHECK(x[1] == doctest::Approx(2));
  CHECK(x[2] == doctest::Approx(3));
}

TEST_CASE("an unknown that nothing decides is zero, and the others have their solution") {
  PivotedFactors factors;
  factors.factor({2, 0, 1, //
                  0, 0, 0, //
                  1, 0, 2},
                 3, 1e-6);
  std::array<double, 3> x = {5, 0, 4}; // of 2, 0, 1
  factors.solve(x);
  CHECK(x[0] == doctest::Approx(2));
  CHECK(x[1] == 0);
  CHECK(x[2] == doctest::Approx(1));
}
