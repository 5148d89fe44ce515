// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "la/gradients.hpp"
#include "la/problems.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <limits>
#include <string>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

TEST_CASE("conjugate gradients of every form find the direct solution") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 12, 100));
  const std::vector<double> b = noise(matrix);
  const std::vector<double> exact = direct(matrix, b);
  for (const Method method : gradients) {
    for (const Norm norm : {Norm::two, Norm::openfoam}) {
      CAPTURE(std::string(name(method)));
      std::vector<double> x(b.size(), 0.3);
      const Report report = run(matrix, b, x, {.method = method, .norm = norm, .relative = 1e-11});
      CHECK(std::string(name(report.reason)) == "converged");
      CHECK(report.true_residual < 2e-11);
      CHECK(distance(comm, x, exact) < 1e-8);
    }
  }
}

TEST_CASE("reductions per iteration are as many as the method says") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 12, 1));
  const std::vector<double> b = noise(matrix);
  const auto reductions = [&](Method method, int iterations) {
    std::vector<double> x(b.size());
    const Report report =
        run(matrix, b, x, {.method = method, .relative = 0, .max_iterations = iterations});
    CHECK(report.iterations == iterations);
    return report.reductions;
  };
  const std::vector<int> expected{2, 3, 1, 1, 1, 1};
  for (std::size_t i = 0; i < std::size(gradients); ++i) {
    CHECK(reductions(gradients[i], 12) - reductions(gradients[i], 2) == 10 * expected[i]);
  }
}

TEST_CASE("the residual of the predicted gradients falls as far as that of plain ones" *
          on_ranks(1, 4)) { // takes a simulator minutes
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const double jump : {1.0, 1e2, 1e3, 1e5, 1e6}) {
    Matrix matrix = make_matrix(comm, diffusion(comm, 150, jump));
    std::vector<double> solution = noise(matrix);
    for (double& value : solution) {
      value += 0.5;
    }
    std::vector<double> b(solution.size());
    matrix.apply(solution, b);
    const auto floor = [&](Method method) {
      std::vector<double> x(b.size());
      return run(matrix, b, x, {.method = method, .relative = 0, .max_iterations = 1600});
    };
    const auto to_limit = [&](Method method) {
      std::vector<double> x(b.size());
      return run(matrix, b, x, {.method = method, .relative = 1e-6}).iterations;
    };
    const Report plain = floor(Method::cg);
    const Report predicted = floor(Method::cg_predicted);
    const Report pipelined = floor(Method::cg_pipelined);
    CAPTURE(jump);
    CHECK(predicted.true_residual <= 2 * plain.true_residual);
    CHECK(static_cast<double>(predicted.products.extra) <= 0.1 * predicted.iterations);
    CHECK(to_limit(Method::cg_predicted) <= 1.02 * to_limit(Method::cg));
    CHECK(pipelined.true_residual > 100 * plain.true_residual);
  }
}

TEST_CASE("the automatic choice solves, on all ranks by the same method") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 12, 10));
  const std::vector<double> b = noise(matrix);
  for (const double relative : {1e-2, 1e-10}) {
    std::vector<double> x(b.size());
    const Report report = run(matrix, b, x, {.relative = relative});
    CHECK(report.is_converged());
    CHECK(report.true_residual < 1.1 * relative);
    CHECK(report.method != Method::automatic);
    const int method = static_cast<int>(report.method);
    CHECK(comm::allreduce(comm, method, comm::Op::min) ==
          comm::allreduce(comm, method, comm::Op::max));
  }
}
