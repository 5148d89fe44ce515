// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/diagnosis.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

/// After seven iterations in which the residuals change by these factors.
Diagnosis after(double pressure, double displacement) {
  ResidualHistory history({"Pressure", "Displacement"});
  for (int k = 0; k < 7; ++k) {
    history.add(
        std::vector<Norms>{{1e5 * std::pow(pressure, k), 1}, {std::pow(displacement, k), 1}});
  }
  return history.diagnose();
}

} // namespace

TEST_CASE("the worst data tells how an iteration goes") {
  CHECK(after(0.1, 0.5).trend == Trend::converging);
  CHECK(after(0.1, 0.5).field == "Displacement");
  CHECK(after(0.1, 0.5).text.empty());
  const Diagnosis slow = after(0.98, 0.5);
  CHECK(slow.trend == Trend::stagnating);
  CHECK(slow.field == "Pressure");
  CHECK(slow.factor == doctest::Approx(0.98));
  const Diagnosis bad = after(0.5, 3);
  CHECK(bad.trend == Trend::diverging);
  CHECK(bad.text.find("data \"Displacement\" diverges: its residual went from 1.00e+00 to 7.29e+02 "
                      "in 6 iterations, a factor of 3.00 each; try a smaller relaxation") == 0);
}

TEST_CASE("few iterations say nothing, nor does a residual of zero") {
  ResidualHistory history({"Pressure"});
  history.add(std::vector<Norms>{{1, 1}});
  history.add(std::vector<Norms>{{9, 1}});
  CHECK(history.diagnose().trend == Trend::converging);
  CHECK(after(0, 0.5).field == "Displacement");
}
