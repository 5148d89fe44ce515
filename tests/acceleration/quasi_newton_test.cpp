// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/make.hpp"

#include "iterate.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

/// A linear map of n values that a fixed-point iteration diverges on.
State linear(const State& x, int window) {
  const std::size_t n = x[0].size();
  Vector result(n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = std::sin(static_cast<double>(i + 1)) + window;
    for (std::size_t j = 0; j < n; ++j) {
      result[i] += std::cos(static_cast<double>(3 * i + 5 * j)) * x[0][j];
    }
  }
  return {result};
}

} // namespace

TEST_CASE("IQN-ILS solves a linear problem of n values in n + 2 evaluations") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::size_t n : {1, 2, 5, 9}) {
    const auto newton = make_iqn_ils({.filter = Filter::qr1, .filter_limit = 1e-14}, comm);
    Iteration iteration({{"u", n}}, *newton, comm);
    const WindowResult result = iteration.run({Vector(n)}, linear, 1, 1e-9, 50);
    CHECK(result.iterations <= static_cast<int>(n) + 2);
    CHECK(iteration.reductions == result.iterations);
    CHECK(result.counters.columns == result.iterations - 1);
  }
}
