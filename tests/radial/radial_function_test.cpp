// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_function.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using isthmus::radial::RadialFunction;
using Kind = RadialFunction::Kind;

TEST_CASE("radial functions of many squares are those of single distances") {
  for (int kind = 0; kind <= static_cast<int>(Kind::volume_splines); ++kind) {
    const RadialFunction f{static_cast<Kind>(kind), 0.7};
    std::vector<double> values;
    for (int i = 0; i < 37; ++i) { // up to 1
      values.push_back(std::pow(i * i / 1296.0, 2));
    }
    f.apply_to_squares(values);
    for (int i = 0; i < 37; ++i) {
      CAPTURE(kind);
      CAPTURE(i);
      CHECK(values[static_cast<std::size_t>(i)] ==
            doctest::Approx(f(i * i / 1296.0)).epsilon(1e-13));
    }
  }
}

TEST_CASE("thin plate splines are exact, near the zeros of the logarithm too") {
  const RadialFunction spline{Kind::thin_plate_splines, 0};
  for (const double r : {1e-200, 1e-9, 0.3, 0.70710678118654752, 0.99999999, 1.0000001, 1e6}) {
    const double exact = r * r * std::log(r);
    CHECK(std::abs(spline(r) - exact) <= 4e-16 * (std::abs(exact) + r * r));
  }
}
