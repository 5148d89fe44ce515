// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/clock.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace isthmus;

TEST_CASE("a clock never goes back") {
  double before = now();
  for (int i = 0; i < 1000; ++i) {
    const double after = now();
    CHECK(after >= before);
    before = after;
  }
}

TEST_CASE("a deadline counts from where it was made") {
  const double before = now();
  const Deadline deadline(3600);
  const double elapsed = deadline.elapsed();
  CHECK(elapsed >= 0);
  CHECK(elapsed <= now() - before);
  CHECK(deadline.limit() == 3600);
  CHECK_FALSE(deadline.passed());
  const double left = deadline.left();
  CHECK(left <= 3600 - elapsed);
  CHECK(left >= 3600 - (now() - before));
}

TEST_CASE("a deadline of no time passes, one without limit never does") {
  const Deadline at_once(0);
  while (at_once.elapsed() == 0) { // until the clock has moved
  }
  CHECK(at_once.passed());
  CHECK(at_once.left() < 0);
  CHECK(Deadline(-1).passed());
  const Deadline never(std::numeric_limits<double>::infinity());
  CHECK_FALSE(never.passed());
  CHECK(never.left() == std::numeric_limits<double>::infinity());
}
