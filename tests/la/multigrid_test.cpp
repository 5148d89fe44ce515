// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/multigrid.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/solve.hpp"
#include "la/problems.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <string>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

TEST_CASE("multigrid: the solution, in fewer iterations than the diagonal, that hardly grow") {
  const comm::Comm comm(MPI_COMM_WORLD);
  if (comm.size() > 4) {
    return; // aggregates of a few rows
  }
  int before = 0;
  for (const std::size_t n : {30, 60, 120}) {
    Matrix matrix = make_matrix(comm, diffusion(comm, n, 1e3));
    Multigrid multigrid(matrix);
    Diagonal diagonal(matrix);
    const std::vector<double> b = noise(matrix);
    const auto iterations = [&](Preconditioner& preconditioner, Method method) {
      std::vector<double> x(b.size());
      const Report report = solve(matrix, preconditioner, b, x, {.method = method});
      CHECK(std::string(name(report.reason)) == "converged");
      CHECK(report.true_residual < 1.1e-8);
      return report.iterations;
    };
    const int now = iterations(multigrid, Method::cg);
    CAPTURE(n);
    CHECK(4 * now < 2 * iterations(diagonal, Method::cg));
    CHECK((before == 0 || now < 2 * before));
    CHECK(iterations(multigrid, Method::cg_predicted) <= now + 2);
    CHECK(multigrid.num_levels() > 1);
    CHECK(multigrid.operator_complexity() < 1.6);
    before = now;
  }
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
    const Report report =
        solve(matrix, multigrid, b, x, {.method = Method::cg, .constant_null_space = true});
    CHECK(std::string(name(report.reason)) == "converged");
    CHECK(report.true_residual < 1e-7);
  }
}
