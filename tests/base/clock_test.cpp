// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/clock.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <thread>

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

TEST_CASE("busy time is that of this thread's work: it grows with work, not with naps") {
  double worked = 0;
  const double start = thread_time();
  {
    const BusyTime busy(worked);
    const double begin = thread_time();
    while (thread_time() - begin < 1e-3) { // work, for so long
    }
  }
  CHECK(worked >= 1e-3);
  CHECK(worked <= thread_time() - start);
  double napped = 0;
  {
    const BusyTime busy(napped);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(napped < 0.05);
}
