// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/multigrid.hpp"
#include "isthmus/la/aggregation.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/galerkin.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "la/problems.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cmath>
#include <string>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

namespace {

struct Ran {
  int iterations;
  std::vector<double> x;
};

Ran run(Matrix& matrix, Preconditioner& preconditioner, Method method = Method::cg) {
  const std::vector<double> b = noise(matrix);
  std::vector<double> x(b.size());
  const Report report = solve(matrix, preconditioner, b, x, {.method = method, .relative = 1e-9});
  CHECK(std::string(name(report.reason)) == "converged");
  CHECK(report.true_residual < 1.1e-9);
  return {report.iterations, std::move(x)};
}

/// Of plain multigrid on coarser and finer grids; smoothed one is compared with it.
void check_growth(const comm::Comm& comm, const std::vector<std::size_t>& sizes,
                  GlobalRows (*rows)(const comm::Comm&, std::size_t)) {
  const comm::Comm serial;
  std::vector<int> plain;
  std::vector<int> smoothed;
  for (const std::size_t n : sizes) {
    Matrix matrix = make_matrix(comm, rows(comm, n));
    Multigrid fast(matrix, {.coarsest = 100});
    Multigrid slow(matrix, {.coarsest = 100, .smoothed = false});
    const Ran ours = run(matrix, fast);
    plain.push_back(run(matrix, slow).iterations);
    smoothed.push_back(ours.iterations);
    CHECK(std::abs(run(matrix, fast, Method::cg_predicted).iterations - ours.iterations) <= 1);
    CHECK(fast.operator_complexity() < 1.7);
    CHECK(fast.num_levels() > 1);

    Matrix whole = make_matrix(serial, rows(serial, n));
    Multigrid alone(whole, {.coarsest = 100});
    const Ran reference = run(whole, alone);
    CHECK(std::abs(reference.iterations - ours.iterations) <= 2);
    const auto first = reference.x.begin() + static_cast<std::ptrdiff_t>(matrix.first_row());
    const std::vector<double> part(first, first + matrix.num_rows());
    CHECK(distance(comm, ours.x, part) < 1e-6);
  }
  CAPTURE(sizes.back());
  CHECK(smoothed.back() <= smoothed.front() + 2);
  CHECK(smoothed.back() < plain.back());
  CHECK(smoothed.back() - smoothed.front() < plain.back() - plain.front());
}

} // namespace

TEST_CASE("smoothed aggregation: iterations stay while plain aggregation needs more and more" *
          on_ranks(1, 4)) { // aggregates of a few rows with more
  const comm::Comm comm(MPI_COMM_WORLD);
  check_growth(comm, {20, 40, 80},
               [](const comm::Comm& c, std::size_t n) { return diffusion(c, n, 1); });
  check_growth(comm, {8, 12, 20}, cube_diffusion);
}

TEST_CASE(
    "multigrid: the solution where coefficients jump, in fewer iterations than the diagonal") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 60, 1e3));
  Multigrid multigrid(matrix);
  Diagonal diagonal(matrix);
  CHECK(3 * run(matrix, multigrid).iterations < run(matrix, diagonal).iterations);
}

TEST_CASE("the coarse matrix is that of the products, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::size_t n : {1, 2, 11}) {
    Matrix a = make_matrix(comm, convection(comm, n, 0.5)); // not symmetric: transposes would show
    const Aggregates aggregates = aggregate(a.own(), 0.1);
    Matrix p = smoothed_prolongation(a, aggregates, 0.1, spectral_radius(a));
    Matrix coarse = galerkin_product(a, p);
    std::vector<double> v(static_cast<std::size_t>(aggregates.count));
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = noise(coarse.first_row() + static_cast<GlobalIndex>(i));
    }
    std::vector<double> fine(static_cast<std::size_t>(a.num_rows()));
    std::vector<double> product(fine.size());
    std::vector<double> expected(v.size());
    p.apply(v, fine);
    a.apply(fine, product);
    p.apply_transposed(product, expected);
    std::vector<double> found(v.size());
    coarse.apply(v, found);
    CHECK(distance(comm, found, expected) < 1e-14);
  }
}

TEST_CASE("spectral radius: between the largest eigenvalue and what the rows allow") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr std::size_t n = 24;
  Matrix a = make_matrix(comm, diffusion(comm, n, 1));
  const double radius = spectral_radius(a); // the largest eigenvalue is close to 2
  CHECK(radius > 1.9);
  CHECK(radius <= 2.0 + 1e-12);
}

TEST_CASE("multigrid for closed borders and for few rows") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::size_t n : {2, 30}) {
    Matrix matrix = make_matrix(comm, closed_diffusion(comm, n));
    Multigrid multigrid(matrix);
    std::vector<double> solution = noise(matrix);
    std::vector<double> b(solution.size());
    matrix.apply(solution, b);
    std::vector<double> x(b.size());
    const Report report = solve(matrix, multigrid, b, x,
                                {.method = Method::cg, .known = {.constant_null_space = true}});
    CHECK(std::string(name(report.reason)) == "converged");
    CHECK(report.true_residual < 1e-7);
  }
}
