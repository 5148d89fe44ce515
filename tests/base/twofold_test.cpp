// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/twofold.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;

namespace {

/// |a| relative to one, of what should vanish.
double magnitude(Twofold a) {
  return std::abs(a.value + a.rest);
}

} // namespace

TEST_CASE("operations on Twofold keep about 32 digits") {
  const Twofold third = Twofold{1} / Twofold{3};
  CHECK(third.value == 1.0 / 3);
  CHECK(magnitude(third * Twofold{3} - Twofold{1}) < 1e-31);
  const Twofold root = sqrt(Twofold{2});
  CHECK(root.rest != 0);
  CHECK(magnitude(root * root - Twofold{2}) < 1e-31);
  CHECK(magnitude(Twofold{1e16} + third - Twofold{1e16} - third) < 1e-15);
  CHECK(sqrt(Twofold{}).value == 0);
}

TEST_CASE("sums and products of doubles have no error") {
  CHECK(exact_sum(1e16, 1.25).rest == 1.25 - 2);
  CHECK(exact_sum(1e16, 1.25).value == 1e16 + 2);
  const double a = 1 + std::ldexp(1, -30);
  const Twofold square = exact_product(a, a); // 1 + 2^-29 + 2^-60
  CHECK(square.value == 1 + std::ldexp(1, -29));
  CHECK(square.rest == std::ldexp(1, -60));
}

TEST_CASE("the order of two terms does not matter") {
  const Twofold a = exact_product(0.1, 0.7);
  const Twofold b = exact_product(-1e7, 0.3);
  CHECK((a + b).value == (b + a).value);
  CHECK((a + b).rest == (b + a).rest);
}
