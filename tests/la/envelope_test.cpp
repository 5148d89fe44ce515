// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/envelope.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/la/dense.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::la;

namespace {

/// A row begins where it pleases; symmetric and diagonally dominant by `more`.
std::vector<double> fill(EnvelopeSolver& solver, const std::vector<LocalIndex>& first,
                         double more) {
  const std::size_t n = first.size();
  std::vector<double> dense(n * n, 0);
  std::vector<double> sums(n, more);
  for (std::size_t i = 0; i < n; ++i) {
    for (auto j = static_cast<std::size_t>(first[i]); j < i; ++j) {
      const double value = -1 - 0.5 * std::sin(static_cast<double>(3 * i + 5 * j));
      solver.at(static_cast<LocalIndex>(i), static_cast<LocalIndex>(j)) = value;
      dense[i * n + j] = dense[j * n + i] = value;
      sums[i] -= value;
      sums[j] -= value;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    solver.at(static_cast<LocalIndex>(i), static_cast<LocalIndex>(i)) = dense[i * n + i] = sums[i];
  }
  return dense;
}

} // namespace

TEST_CASE("an envelope: solutions are those of the dense matrix") {
  for (const std::vector<LocalIndex>& first :
       {std::vector<LocalIndex>{}, {0}, {0, 0, 1, 2, 3}, {0, 1, 2}, {0, 0, 2, 1, 0, 3, 6, 2, 7}}) {
    EnvelopeSolver solver(first);
    const auto dense = fill(solver, first, 0.25);
    std::size_t entries = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      entries += i + 1 - static_cast<std::size_t>(first[i]);
    }
    CHECK(solver.num_entries() == entries);
    REQUIRE(solver.factorize());
    std::vector<double> x(first.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::cos(static_cast<double>(i));
    }
    std::vector<double> expected = x;
    solver.solve(x);
    SymmetricSolver(dense, first.size()).solve(expected);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(x[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("an envelope: a matrix that is singular, indefinite or no number has no factor") {
  const std::vector<LocalIndex> first{0, 0, 1, 1, 2};
  EnvelopeSolver singular(first);
  fill(singular, first, 0);
  CHECK_FALSE(singular.factorize());
  EnvelopeSolver indefinite(first);
  fill(indefinite, first, -1);
  CHECK_FALSE(indefinite.factorize());
  EnvelopeSolver none(first);
  fill(none, first, NAN);
  CHECK_FALSE(none.factorize());
}

TEST_CASE("an envelope: rows begin at or before their diagonal, right-hand sides have all rows") {
  CHECK_THROWS_WITH_AS(EnvelopeSolver({0, 2}),
                       "row 1 of an envelope begins in column 2; it is one of 0 to 1", Error);
  CHECK_THROWS_AS(EnvelopeSolver({-1}), Error);
  EnvelopeSolver solver({0, 1});
  solver.at(0, 0) = solver.at(1, 1) = 1;
  REQUIRE(solver.factorize());
  std::vector<double> b(3);
  CHECK_THROWS_WITH_AS(solver.solve(b), "a system of 2 equations was given 3 right-hand sides",
                       Error);
}
