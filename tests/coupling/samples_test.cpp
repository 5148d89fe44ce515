// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/samples.hpp"

#include "two_sides.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace isthmus::coupling {

namespace {

const std::vector<double> places{0, 0, 1, 0};

std::vector<double> times(const fields::Field& field) {
  std::vector<double> all;
  for (std::size_t s = 0; s < field.wave().num_samples(); ++s) {
    all.push_back(field.wave().time(s));
  }
  return all;
}

using Times = std::vector<double>;

} // namespace

TEST_CASE("of a repeated window all samples come again, and what was written is dropped") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  configuration.schemes.front().max_iterations = 2;
  const auto play = [](Side& side, const char* written, const char* read) {
    side.initialize();
    CHECK(times(side.field(read)) == Times{0});
    CHECK(times(side.field(written)).empty());
    const Samples& samples = side.coupling().samples();
    for (double window = 0; window < 2; ++window) {
      side.step(written, {1, 2});
      CHECK(side.coupling().repeats_window());
      CHECK(samples.is_iterated(side.field(read)));
      CHECK(samples.is_iterated(side.field(written)));
      CHECK(samples.repeated_from(side.field(written), window) == window);
      CHECK(samples.repeated_from(side.field(read), window) == window);
      CHECK(times(side.field(written)).empty());
      CHECK(times(side.field(read)) == Times{window, window + 1});
      side.step(written, {1, 2});
      CHECK(!side.coupling().repeats_window());
      CHECK(times(side.field(written)).empty());
      CHECK(times(side.field(read)) == Times{window + 1});
    }
  };
  run(
      configuration, places, [&](Side& a) { play(a, "x", "y"); },
      [&](Side& b) { play(b, "y", "x"); });
}

TEST_CASE("without an implicit scheme nothing is iterated, and only ends of windows are stored") {
  const WorkingFolder folder;
  config::Configuration configuration = make_two_sides();
  configuration.schemes.front().kind = config::SchemeKind::parallel_explicit;
  const auto play = [](Side& side, const char* written, const char* read) {
    side.initialize();
    const Samples& samples = side.coupling().samples();
    CHECK(!samples.is_iterated(side.field(read)));
    CHECK(samples.repeated_from(side.field(read), 0) == std::numeric_limits<double>::infinity());
    while (side.coupling().schedule().is_ongoing()) {
      side.coupling().advance(0.5);
      CHECK(times(side.field(written)).empty()); // this one is not stored
      side.step(written, {1, 2});
      CHECK(times(side.field(read)) == Times{side.coupling().schedule().time()});
    }
  };
  run(
      configuration, places, [&](Side& a) { play(a, "x", "y"); },
      [&](Side& b) { play(b, "y", "x"); });
}

} // namespace isthmus::coupling
