// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/bounds.hpp"

#include "iterate.hpp"

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
  const std::vector<Field> fields{{"u", input.size(), 1, true, 1, lower, upper}, {"free", 1}};
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

TEST_CASE("scale shortens the whole step") {
  const State result = corrected(x, to, h, {0}, {0.8}, OnBoundViolation::scale);
  const Vector expected{0.6, 0.7, 0, 0.55};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(result[0][i] == doctest::Approx(expected[i]));
  }
  CHECK(result[1][0] == doctest::Approx(15));
}

TEST_CASE("a step that cannot begin is discarded") {
  const Vector on_the_bound{0.8, 0.5, 0.5, 0.5};
  const Vector beyond{0.9, 0.5, 0.5, 0.5};
  CHECK(corrected(on_the_bound, beyond, h, {0}, {0.8}, OnBoundViolation::scale)[0] == h);
}

TEST_CASE("bounds are per component") {
  const State result = corrected(x, to, h, {-none, 0}, {0.6, none}, OnBoundViolation::clamp);
  if (comm::Comm(MPI_COMM_WORLD).size() < 4) { // components are not split between ranks
    CHECK(result[0] == Vector{0.6, 0.9, -0.5, 0.6});
  }
}
