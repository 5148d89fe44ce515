// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/rounding.hpp"

#include <doctest/doctest.h>

using namespace isthmus;

TEST_CASE("rounding is of a length and of the time at which it is stepped through") {
  CHECK(rounding(1e-10, 1, 0) == 1e-10);
  CHECK(rounding(1e-10, 1e-12, 1e-12) < 1e-21);
  CHECK(rounding(1e-10, 1e-12, 1) > 1e-15);
  CHECK(negligible_rest(1, 0) == rounding(1e-11, 1, 0));
}
