// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/bounds.hpp"

#include "iterate.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// A step from x to `to` of a field with bounds and of one without.
State corrected(const Vector& x, const Vector& to, const Vector& h, const Vector& lower,
                const Vector& upper, OnBoundViolation reaction) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Share share(comm, x.size());
  const Vector input = share.of(x);
  Vector output = share.of(to);
  const Vector free_input(1, 10);
  Vector free_output(1, 20);
  Vector fixed_point = share.of(h);
  fixed_point.push_back(30);
  const std::vector<IteratedField> fields{{"u", input.size(), 1, true, 1, lower, upper},
                                          {"free", 1}};
  const std::vector<Iterate> iterates{{input, output}, {free_input, free_output}};
  keep_bounds(fields, iterates, fixed_point, reaction, comm);
  return {together(comm, output), free_output};
}

const Vector x{0.5, 0.5, 0.5, 0.5};
const Vector to{0.7, 0.9, -0.5, 0.6};
const Vector h{0.1, 0.2, 0.3, 0.4};

} // namespace

TEST_CASE("ignore leaves the step alone") {
  const State result = corrected(x, to, h, {0}, {0.8}, OnBoundViolation::ignore);
  CHECK(result[0] == to);
}

TEST_CASE("clamp clips every value for itself") {
  const State result = corrected(x, to, h, {0}, {0.8}, OnBoundViolation::clamp);
  CHECK(result[0] == Vector{0.7, 0.8, 0, 0.6});
  CHECK(result[1] == Vector{20});
}

TEST_CASE("discard takes the fixed point of all fields") {
  const State result = corrected(x, to, h, {0}, {0.8}, OnBoundViolation::discard);
  CHECK(result[0] == h);
  CHECK(result[1] == Vector{30});
  CHECK(corrected(x, to, h, {-1}, {1}, OnBoundViolation::discard)[0] == to);
}

TEST_CASE("scale shortens the correction of all data until the last bound is kept") {
  const State result = corrected(x, to, h, {0}, {0.8}, OnBoundViolation::scale);
  const double part = 0.3 / 0.8; // -0.5 becomes 0, which takes more than 0.9 becoming 0.8
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(result[0][i] == doctest::Approx(h[i] + part * (to[i] - h[i])));
  }
  CHECK(result[1][0] == doctest::Approx(30 - part * 10));
  CHECK(corrected(x, to, h, {-1}, {1}, OnBoundViolation::scale)[0] == to);
}

TEST_CASE("scale turns a correction that leads away from a bound which is exceeded already") {
  // Recorded from preCICE 3.4.1
  const Vector beyond{1.06, 1.11, 1.16, 0};
  const Vector further{1.07, 1.12, 1.17, 0};
  const State result = corrected(x, further, beyond, {-1}, {0.65}, OnBoundViolation::scale);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result[0][i] == doctest::Approx(beyond[i] - 0.51));
  }
}

TEST_CASE("scale takes less than nothing of a correction that comes back too little") {
  // Recorded from preCICE 3.4.1: outputs and quasi-Newton step, both beyond the bound in places
  const Vector h2{0.65155344200266052, 0.67564678884497098, 0.70013072100699969, 0};
  const Vector step{0.6106024380, 0.6295873590, 0.6486903370, 0};
  const Vector expected{0.63344244009355111, 0.65527653141642039, 0.6773806823124161, 0};
  const State result = corrected(x, step, h2, {-1}, {0.62}, OnBoundViolation::scale);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(result[0][i] == doctest::Approx(expected[i]).epsilon(1e-7));
  }
}

TEST_CASE("scale leaves alone what is beyond a bound and not corrected") {
  const Vector beyond{0.9, 0.2, 0.3, 0.4};
  const Vector kept{0.9, 0.6, 0.3, 0.4};
  CHECK(corrected(x, kept, beyond, {0}, {0.8}, OnBoundViolation::scale)[0] == kept);
}

TEST_CASE("bounds are per component" * on_ranks(1, 3)) { // components are not split between those
  const State result = corrected(x, to, h, {-none, 0}, {0.6, none}, OnBoundViolation::clamp);
  CHECK(result[0] == Vector{0.6, 0.9, -0.5, 0.6});
}
