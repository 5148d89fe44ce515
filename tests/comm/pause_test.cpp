// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/pause.hpp"

#include "environment.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace isthmus;
using namespace isthmus::comm;

TEST_CASE("who has no core for itself yields while it spins") {
  CHECK_FALSE(SpinPolicy::for_processes(1).yield);
  CHECK(SpinPolicy::for_processes(1 << 20).yield);
  const Environment variable("ISTHMUS_SPIN_US", ""); // given back at the end
  CHECK(SpinPolicy::for_processes(1).seconds == SpinPolicy{}.seconds);
  unsetenv("ISTHMUS_SPIN_US");
  CHECK(SpinPolicy::for_processes(1).seconds == SpinPolicy{}.seconds);
  setenv("ISTHMUS_SPIN_US", "250", 1);
  CHECK(SpinPolicy::for_processes(1).seconds == doctest::Approx(250e-6));
  const Environment none("ISTHMUS_SPIN_US", "0");
  CHECK(SpinPolicy::for_processes(1).seconds == 0);
  const Environment unknown("ISTHMUS_SPIN_US", "50us");
  CHECK(message_of([] { static_cast<void>(SpinPolicy::for_processes(1)); }) ==
        "environment variable ISTHMUS_SPIN_US=\"50us\" is no number of microseconds");
}

#ifndef ISTHMUS_SIMULATED // where nobody spins
TEST_CASE("a wait spins for the time of its policy, and anew when something has moved") {
  Pause pause({.seconds = 0, .yield = true}, 3600);
  for (int wait = 0; wait < 3; ++wait) {
    int spins = 0;
    while (pause.spin()) {
      ++spins;
    }
    CHECK(spins < 16); // it looks at the clock now and then only
    CHECK(pause.spin_seconds() == 0);
    CHECK_FALSE(pause.left() > 3600);
    pause.reset();
  }
  CHECK(pause.idle_seconds() >= 0);
  Pause endless({.seconds = 1e9, .yield = false}, 10);
  for (int i = 0; i < 1000; ++i) {
    CHECK(endless.spin());
  }
}

TEST_CASE("the limit of a wait counts from its first idle moment, moves included") {
  Pause pause({}, 100);
  double before = pause.left();
  CHECK(before == 100); // only now it has nothing to do
  double idle = 0;
  for (int i = 0; i < 20; ++i) {
    pause.reset();
    CHECK(pause.idle_seconds() >= idle);
    idle = pause.idle_seconds();
    const double left = pause.left();
    CHECK(left <= before);
    before = left;
  }
  CHECK(idle <= 100 - before); // the time in between was not idle
}
#endif

TEST_CASE("others are taken to want the core for a while after a look has taken a whole turn") {
  comm::Crowd crowd(0.05);
  CHECK(!crowd.is_here());
  crowd.looked(5e-4);
  CHECK(!crowd.is_here());
  crowd.looked(2e-3);
  const double seen = now();
  bool here = crowd.is_here();
  CHECK((here || now() - seen >= 0.05));
  while (crowd.is_here()) {
    REQUIRE(now() - seen < 60);
  }
  CHECK(now() - seen >= 0.049);
}
