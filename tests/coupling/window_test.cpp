// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/schemes/window.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

using isthmus::coupling::Window;

namespace {

constexpr double no_limit = std::numeric_limits<double>::max();

struct Ran {
  long steps = 0;
  double smallest = no_limit; // step
  std::vector<double> ends;   // of the first windows
};

/// Runs a window clock to its end with steps of at most `dt`, as solvers do.
Ran run(Window& window, double dt) {
  Ran ran;
  while (window.ongoing()) {
    const double step = std::min(dt, window.step_limit());
    ran.smallest = std::min(ran.smallest, step);
    window.advance(step);
    ++ran.steps;
    if (window.complete()) {
      if (ran.ends.size() < 10) {
        ran.ends.push_back(window.time());
      }
      window.open_next();
    }
  }
  return ran;
}

} // namespace

TEST_CASE("fixed windows end at multiples of their size") {
  Window window(Window::Size::fixed, 0.1, {}, 4);
  CHECK(window.step_limit() == 0.1);
  window.advance(0.03);
  CHECK(!window.complete());
  CHECK(window.time() == 0.03);
  CHECK(window.step_limit() == doctest::Approx(0.07).epsilon(1e-15));
  const Ran ran = run(window, 1);
  CHECK(ran.ends == std::vector{0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1});
  CHECK(window.number() == 4);
  CHECK(!window.ongoing());
  CHECK(window.step_limit() == 0);
}

TEST_CASE("the end of a run cuts the last window") {
  struct Case {
    double size;
    std::optional<double> max_time;
    std::optional<int> max_windows;
    std::vector<double> ends;
  };
  for (const Case& one :
       {Case{0.4, 1.0, {}, {0.4, 0.8, 1.0}}, Case{0.4, 0.8, {}, {0.4, 0.8}},
        Case{0.4, 1.0, 2, {0.4, 0.8}}, Case{0.4, 1.0, 9, {0.4, 0.8, 1.0}},
        Case{5.0, 1.0, {}, {1.0}}, Case{0.1, 0.3, {}, {0.1, 0.2, 0.3}}, // 3 * 0.1 > 0.3
        Case{0.1, 0.3 + 1e-14, {}, {0.1, 0.2, 0.3}}}) {
    Window window(Window::Size::fixed, one.size, one.max_time, one.max_windows);
    const Ran ran = run(window, no_limit);
    REQUIRE(ran.ends.size() == one.ends.size());
    for (std::size_t i = 0; i < one.ends.size(); ++i) {
      CHECK(ran.ends[i] == doctest::Approx(one.ends[i]).epsilon(1e-13));
    }
    CHECK(ran.steps == static_cast<long>(one.ends.size()));
  }
}

TEST_CASE("steps that divide a window leave no rest") {
  for (const double size : {0.1, 1.0 / 3, 1e-6, 1e3, 7.0}) {
    for (const int parts : {1, 3, 7, 10, 49}) {
      CAPTURE(size);
      CAPTURE(parts);
      Window window(Window::Size::fixed, size, {}, 2000);
      const Ran ran = run(window, size / parts);
      CHECK(ran.steps == 2000L * parts);
      CHECK(ran.smallest >= size / parts * (1 - 1e-6));
    }
  }
}

TEST_CASE("windows may be as small or as large as numbers are") {
  for (const double size : {1e-300, 1e-16, 1e-14, 1e12, 1e300}) {
    CAPTURE(size);
    Window window(Window::Size::fixed, size, 3 * size, {});
    CHECK(run(window, size / 2).steps == 6);
    CHECK(window.number() == 3);
  }
}

TEST_CASE("a million windows do not drift") {
  for (const double size : {0.1, 1e-3, 1e-5}) {
    CAPTURE(size);
    Window by_count(Window::Size::fixed, size, {}, 1000000);
    CHECK(run(by_count, size / 3).steps == 3000000);
    CHECK(by_count.time() == 1000000 * size);
    Window by_time(Window::Size::fixed, size, 1000000 * size, {});
    CHECK(run(by_time, size / 3).steps == 3000000);
    CHECK(by_time.number() == 1000000);
    CHECK(by_time.time() == 1000000 * size);
  }
}

TEST_CASE("dictated windows are the steps of the solver") {
  Window window(Window::Size::dictated, -1, 1.0, {});
  CHECK(window.step_limit() == 1);
  window.advance(0.25);
  CHECK(window.complete());
  CHECK(window.size() == 0.25);
  CHECK(!window.is_last());
  window.open_next();
  CHECK(window.step_limit() == 0.75);
  window.advance(0.5);
  CHECK(window.size() == 0.5);
  window.open_next();
  window.advance(0.25);
  CHECK(window.is_last());
  window.open_next();
  CHECK(!window.ongoing());
  CHECK(window.number() == 3);

  Window many(Window::Size::dictated, -1, 100.0, {});
  CHECK(run(many, 0.1).steps == 1000);
  CHECK(many.time() == 100);
  Window counted(Window::Size::dictated, -1, {}, 3);
  CHECK(counted.step_limit() == no_limit);
  CHECK(run(counted, 0.7).steps == 3);
}

TEST_CASE("followed windows are as long as those they follow") {
  Window window(Window::Size::followed, -1, 1.0, {});
  double start = 0;
  for (const double size : {0.25, 0.5, 0.25}) {
    window.set_size(size);
    CHECK(window.end() == start + size);
    window.advance(size / 2);
    CHECK(!window.complete());
    window.advance(window.step_limit());
    CHECK(window.complete());
    CHECK(window.is_last() == (start == 0.75));
    window.open_next();
    start += size;
    CHECK(window.time() == start);
  }
  CHECK(!window.ongoing());
}
