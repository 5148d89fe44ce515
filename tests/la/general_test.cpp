// SPDX-License-Identifier: BSD-3-Clause
// Solvers for matrices that are not symmetric, Chebyshev, and incomplete factors.
#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/block_factor.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "la/problems.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cmath>
#include <limits>
#include <string>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

namespace {

constexpr Method any[] = {Method::gmres, Method::gmres_pipelined, Method::bicgstab,
                          Method::bicgstab_merged, Method::bicgstab_pipelined};

void check_solution(Matrix& matrix, Preconditioner& preconditioner, Settings settings) {
  const std::vector<double> b = noise(matrix);
  std::vector<double> x(b.size(), 0.2);
  settings.relative = 1e-11;
  const Report report = solve(matrix, preconditioner, b, x, settings);
  CAPTURE(std::string(name(settings.method)));
  CHECK(std::string(name(report.reason)) == "converged");
  CHECK(report.true_residual < 1e-10);
  CHECK(distance(matrix.comm(), x, direct(matrix, b)) < 1e-8);
}

} // namespace

TEST_CASE("solvers for any matrix find the direct solution, with every preconditioner") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, convection(comm, 12, 2));
  Identity identity;
  Diagonal diagonal(matrix);
  BlockFactor factor(matrix, BlockFactor::Kind::lu);
  for (const Method method : any) {
    for (Preconditioner* const preconditioner :
         {static_cast<Preconditioner*>(&identity), static_cast<Preconditioner*>(&diagonal),
          static_cast<Preconditioner*>(&factor)}) {
      check_solution(matrix, *preconditioner, {.method = method});
    }
  }
  for (const int restart : {1, 7}) {
    check_solution(matrix, diagonal, {.method = Method::gmres, .restart = restart});
    check_solution(matrix, diagonal, {.method = Method::gmres_pipelined, .restart = restart});
  }
}

TEST_CASE("pipelined methods: iterations and reductions are those of the plain forms, beside") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, convection(comm, 16, 2));
  BlockFactor factor(matrix, BlockFactor::Kind::lu);
  const std::vector<double> b = noise(matrix);
  const auto run = [&](Method method, int iterations) {
    std::vector<double> x(b.size());
    return solve(matrix, factor, b, x,
                 {.method = method, .relative = 1e-9, .max_iterations = iterations});
  };
  const int plain = run(Method::gmres, 200).iterations;
  CHECK(std::abs(run(Method::gmres_pipelined, 200).iterations - plain) <= 1);
  const auto reductions = [&](Method method) {
    return run(method, 9).reductions - run(method, 4).reductions;
  };
  CHECK(reductions(Method::gmres_pipelined) == 5);
  CHECK(reductions(Method::bicgstab_pipelined) == 10);
}

TEST_CASE("pipelined GMRES asks for no more than rounding errors allow") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, convection(comm, 12, 2));
  Diagonal diagonal(matrix);
  const std::vector<double> b = noise(matrix);
  std::vector<double> x(b.size());
  const Report report =
      solve(matrix, diagonal, b, x,
            {.method = Method::gmres_pipelined, .relative = 1e-18, .max_iterations = 2000});
  CHECK(std::string(name(report.reason)) == "attained");
  CHECK(report.iterations < 500);
  CHECK(report.true_residual < 1e-14);
}

TEST_CASE("Chebyshev with bounds that are estimated or given") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 10, 10));
  Diagonal diagonal(matrix);
  check_solution(matrix, diagonal, {.method = Method::chebyshev});
  check_solution(matrix, diagonal, {.method = Method::chebyshev, .eigenvalues = {0.01, 2}});
}

TEST_CASE("incomplete factors are exact where nothing is left out") {
  const comm::Comm serial;
  GlobalRows rows; // tridiagonal: no fill
  for (GlobalIndex i = 0; i < 30; ++i) {
    if (i > 0) {
      rows.add(i - 1, -1);
    }
    rows.add(i, 2.5);
    if (i < 29) {
      rows.add(i + 1, -1);
    }
    rows.end_row();
  }
  Matrix matrix = make_matrix(serial, rows);
  const std::vector<double> b = noise(matrix);
  for (const auto kind : {BlockFactor::Kind::cholesky, BlockFactor::Kind::lu}) {
    BlockFactor factor(matrix, kind);
    std::vector<double> z(b.size());
    factor.apply(b, z);
    CHECK(distance(serial, z, direct(matrix, b)) < 1e-13);
  }
}

TEST_CASE("incomplete Cholesky needs fewer iterations than the diagonal" *
          on_ranks(1, 4)) { // with more each has a small block
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 30, 1));
  const std::vector<double> b = noise(matrix);
  const auto iterations = [&](Preconditioner& preconditioner) {
    std::vector<double> x(b.size());
    const Report report = solve(matrix, preconditioner, b, x, {.method = Method::cg_predicted});
    CHECK(report.is_converged());
    return report.iterations;
  };
  Diagonal diagonal(matrix);
  BlockFactor factor(matrix, BlockFactor::Kind::cholesky);
  CHECK(10 * iterations(factor) < 8 * iterations(diagonal));
}

TEST_CASE("solvers for any matrix: nothing to do, no numbers, singular and rotating systems") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, convection(comm, 6, 1));
  Diagonal diagonal(matrix);
  const std::vector<double> zero(static_cast<std::size_t>(matrix.num_rows()));
  std::vector<double> bad = noise(matrix);
  if (!bad.empty()) {
    bad.front() = std::numeric_limits<double>::infinity();
  }
  for (const Method method : any) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x = zero;
    CHECK(solve(matrix, diagonal, zero, x, {.method = method}).iterations == 0);
    const Report report = solve(matrix, diagonal, bad, x, {.method = method});
    CHECK(std::string(name(report.reason)) == "not_finite");
  }
  // a permutation turns the residual away from all but the last vector of the basis
  GlobalRows rows;
  for (std::size_t i = first_of(8, comm.rank(), comm.size());
       i < first_of(8, comm.rank() + 1, comm.size()); ++i) {
    rows.add(static_cast<GlobalIndex>((i + 1) % 8), 1);
    rows.end_row();
  }
  Matrix rotation = make_matrix(comm, rows);
  std::vector<double> unit(static_cast<std::size_t>(rotation.num_rows()));
  if (!unit.empty() && rotation.first_row() == 0) {
    unit.front() = 1;
  }
  Identity identity;
  std::vector<double> x(unit.size());
  const Report turned = solve(rotation, identity, unit, x, {.method = Method::gmres});
  CHECK(turned.is_converged());
  CHECK(turned.iterations == 8);
  x.assign(unit.size(), 0);
  const Report broken = solve(rotation, identity, unit, x, {.method = Method::bicgstab});
  CHECK(std::string(name(broken.reason)) == "broke_down");
}

TEST_CASE("a norm that a method does not know is refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 3, 1));
  std::vector<double> x(static_cast<std::size_t>(matrix.num_rows()));
  Identity identity;
  CHECK_THROWS_AS(
      (void)solve(matrix, identity, x, x, {.method = Method::gmres, .norm = Norm::openfoam}),
      Error);
}
