// SPDX-License-Identifier: BSD-3-Clause
// Why solvers end, and the systems that make it hard.
#include "isthmus/base/exception.hpp"
#include "isthmus/comm/collective.hpp"
#include "la/gradients.hpp"
#include "la/problems.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

using namespace isthmus;
using namespace isthmus::la;
using namespace isthmus::la::testing;

namespace {

std::string reason(const Report& report) {
  return std::string(name(report.reason));
}

/// The matrix with these values on its diagonal, one row on each rank and none on the others.
Matrix diagonal_matrix(const comm::Comm& comm, const std::vector<double>& values) {
  GlobalRows rows;
  const auto n = values.size();
  for (std::size_t i = first_of(n, comm.rank(), comm.size());
       i < first_of(n, comm.rank() + 1, comm.size()); ++i) {
    rows.add(static_cast<GlobalIndex>(i), values[i]);
    rows.end_row();
  }
  return make_matrix(comm, rows);
}

} // namespace

TEST_CASE("no right-hand side gives no solution but zero, from any guess") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 8, 1));
  const std::vector<double> zero(static_cast<std::size_t>(matrix.num_rows()));
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x = zero;
    const Report none = run(matrix, zero, x, {.method = method});
    CHECK(reason(none) == "converged");
    CHECK(none.iterations == 0);
    std::vector<double> guess = noise(matrix);
    CHECK(reason(run(matrix, zero, guess, {.method = method, .relative = 1e-10})) == "converged");
    CHECK(distance(comm, guess, zero) < 1e-8);
  }
}

TEST_CASE("closed borders: the solution without mean, of a right-hand side with one") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, closed_diffusion(comm, 10));
  std::vector<double> exact = noise(matrix);
  double mean = 0;
  for (const double value : exact) {
    mean += value;
  }
  mean = comm::allreduce(comm, mean, comm::Op::sum) / 100;
  for (double& value : exact) {
    value -= mean;
  }
  std::vector<double> b(exact.size());
  matrix.apply(exact, b);
  for (double& value : b) {
    value += 3;
  }
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x(b.size(), 7.0);
    const Settings settings{
        .method = method, .relative = 1e-10, .known = {.constant_null_space = true}};
    CHECK(reason(run(matrix, b, x, settings)) == "converged");
    CHECK(distance(comm, x, exact) < 1e-7);
  }
}

TEST_CASE("fewer rows than ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = diagonal_matrix(comm, {4});
  const std::vector<double> b(static_cast<std::size_t>(matrix.num_rows()), 2.0);
  for (const Method method : gradients) {
    std::vector<double> x(b.size());
    CHECK(reason(run(matrix, b, x, {.method = method})) == "converged");
    CHECK(distance(comm, x, std::vector<double>(b.size(), 0.5)) < 1e-14);
  }
}

TEST_CASE("a matrix that is not definite is told") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = diagonal_matrix(comm, {1, -9, 2, 5});
  std::vector<double> ones(static_cast<std::size_t>(matrix.num_rows()), 1.0);
  Identity identity;
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x(ones.size());
    CHECK(reason(solve(matrix, identity, ones, x, {.method = method})) == "indefinite");
  }
}

TEST_CASE("a negative definite matrix is solved as its negative, where that is allowed") {
  const comm::Comm comm(MPI_COMM_WORLD);
  GlobalRows rows = diffusion(comm, 10, 100);
  Matrix matrix = make_matrix(comm, rows);
  for (double& value : rows.values) {
    value = -value;
  }
  Matrix negative = make_matrix(comm, rows);
  const std::vector<double> b = noise(matrix);
  std::vector<double> minus_b(b.size());
  std::transform(b.begin(), b.end(), minus_b.begin(), std::negate<>());
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    Settings settings{.method = method, .relative = 1e-8, .known = {.either_sign = true}};
    std::vector<double> x(b.size());
    std::vector<double> same(b.size());
    const Report report = run(matrix, b, x, settings);
    CHECK(run(negative, minus_b, same, settings).residuals == report.residuals);
    CHECK(same == x);
    settings.known.either_sign = false;
    same.assign(b.size(), 0);
    CHECK(reason(run(negative, minus_b, same, settings)) != "converged");
  }
}

TEST_CASE("without verification nothing is sent and computed beside the iteration") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 10, 1));
  const std::vector<double> b = noise(matrix);
  for (const Norm norm : {Norm::two, Norm::openfoam}) {
    Settings settings{.method = Method::cg_merged, .norm = norm, .relative = 1e-8};
    std::vector<double> x(b.size(), 0.5);
    const Report verified = run(matrix, b, x, settings);
    CHECK(verified.true_residual < 1.1e-8);
    settings.monitor.verified = false;
    std::vector<double> same(b.size(), 0.5);
    const Report report = run(matrix, b, same, settings);
    CHECK(same == x);
    CHECK(report.residuals == verified.residuals);
    CHECK(std::isnan(report.true_residual));
  }
}

TEST_CASE("what is not a number ends the iteration") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 6, 1));
  std::vector<double> b = noise(matrix);
  if (!b.empty() && comm.rank() == comm.size() - 1) {
    b.back() = std::numeric_limits<double>::quiet_NaN();
  }
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x(b.size());
    CHECK(reason(run(matrix, b, x, {.method = method})) == "not_finite");
  }
}

TEST_CASE("limits of iterations, of residuals, and of the caller") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 20, 1));
  const std::vector<double> b = noise(matrix);
  for (const Method method : gradients) {
    CAPTURE(std::string(name(method)));
    std::vector<double> x(b.size());
    const Report few = run(matrix, b, x, {.method = method, .max_iterations = 3});
    CHECK(reason(few) == "max_iterations");
    CHECK(few.iterations == 3);
    CHECK(few.residuals.size() == 4);
    CHECK(few.true_residual == doctest::Approx(few.residual).epsilon(1e-6));
    x.assign(b.size(), 0);
    CHECK(reason(run(matrix, b, x, {.method = method, .max_iterations = 0})) == "max_iterations");
    Settings settings{.method = method, .relative = 1e-12};
    settings.monitor.progress = [](int iteration, double) { return iteration < 5; };
    x.assign(b.size(), 0);
    const Report stopped = run(matrix, b, x, settings);
    CHECK(reason(stopped) == "stopped");
    CHECK(stopped.iterations == 5);
    x.assign(b.size(), 0);
    CHECK(run(matrix, b, x, {.method = method, .relative = 0, .absolute = 1e-3}).true_residual > 0);
  }
}

TEST_CASE("sizes that do not fit fail on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Matrix matrix = make_matrix(comm, diffusion(comm, 4, 1));
  const auto rows = static_cast<std::size_t>(matrix.num_rows());
  std::vector<double> x(rows);
  const std::vector<double> b(comm.rank() == 0 ? rows + 1 : rows);
  Identity identity;
  CHECK_THROWS_AS((void)solve(matrix, identity, b, x), Error);
}
