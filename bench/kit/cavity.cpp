// SPDX-License-Identifier: BSD-3-Clause
// bench_cavity N STEPS MOST PRECONDITIONER,… METHOD…: solvers on the pressure system of the
// lid-driven cavity (Re = 1000, N x N cells) after STEPS steps of the flow. Comma separated lines:
//   solve: to a residual of 1e-6 with each preconditioner (diagonal, factor, aggregation,
//          multigrid); iterations, seconds per iteration
//   floor: MOST iterations with the diagonal as preconditioner; b - A x over b by its definition,
//          every 5 % of them
// bench_cavity N check: the flow at Re = 100 until it is steady; least velocity on the centre line.
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/block_factor.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/multigrid.hpp"
#include "isthmus/la/vector.hpp"
#include "lid.hpp"
#include "method.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using namespace isthmus;
using namespace isthmus::la;

namespace {

void measure_solve(Matrix& matrix, Preconditioner& preconditioner, std::string_view label,
                   std::span<const double> b, Method method) {
  std::vector<double> x(b.size());
  comm::barrier(matrix.comm());
  const double begin = MPI_Wtime();
  const Report report = solve(matrix, preconditioner, b, x, {.method = method, .relative = 1e-6});
  const double seconds = comm::allreduce(matrix.comm(), MPI_Wtime() - begin, comm::Op::max);
  if (matrix.comm().rank() == 0) {
    std::printf("solve,%s,%s,%d,%.4g,%.4g\n", std::string(name(method)).c_str(),
                std::string(label).c_str(), report.iterations, seconds / report.iterations,
                report.true_residual);
    std::fflush(stdout);
  }
}

double norm_of(const comm::Comm& comm, std::span<const double> v) {
  return std::sqrt(comm::allreduce(comm, local_dot(v, v), comm::Op::sum));
}

void measure_floor(Matrix& matrix, std::span<const double> b, Method method, int most) {
  Diagonal diagonal(matrix);
  std::vector<double> x(b.size());
  std::vector<double> r(b.size());
  const double reference = norm_of(matrix.comm(), b);
  const auto true_residual = [&matrix, &r, &x, b, reference] {
    matrix.apply(x, r);
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = b[i] - r[i];
    }
    return norm_of(matrix.comm(), r) / reference;
  };
  const int stride = std::max(1, most / 20);
  Settings settings{.method = method, .relative = 0, .max_iterations = most};
  settings.monitor.progress = [&](int iteration, double) {
    if (iteration % stride == 0) {
      const double value = true_residual();
      if (matrix.comm().rank() == 0) {
        std::printf("floor,%s,diagonal,%d,%.4g,%.4g\n", std::string(name(method)).c_str(),
                    iteration, 0.0, value);
      }
    }
    return true;
  };
  (void)solve(matrix, diagonal, b, x, settings);
}

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> result;
  std::size_t first = 0;
  while (first <= words.size()) {
    const std::size_t end = std::min(words.find(',', first), words.size());
    result.push_back(words.substr(first, end - first));
    first = end + 1;
  }
  return result;
}

std::unique_ptr<Preconditioner> preconditioner_named(const std::string& wanted, Matrix& matrix) {
  if (wanted == "diagonal") {
    return std::make_unique<Diagonal>(matrix);
  }
  if (wanted == "factor") {
    return std::make_unique<BlockFactor>(matrix, BlockFactor::Kind::cholesky);
  }
  check(wanted == "aggregation" || wanted == "multigrid", "there is no preconditioner {}", wanted);
  return std::make_unique<Multigrid>(matrix,
                                     Multigrid::Settings{.smoothed = wanted == "multigrid"});
}

void compare(const comm::Comm& comm, int argc, char** argv) {
  LidDrivenCavity cavity(comm, std::atoi(argv[1]), 1000);
  Matrix matrix = make_matrix(comm, cavity.rows());
  const std::vector<double> b = cavity.advance(matrix, std::atoi(argv[2]));
  const int most = std::atoi(argv[3]);
  const std::vector<std::string> labels = split(argv[4]);
  std::vector<std::unique_ptr<Preconditioner>> preconditioners;
  for (const std::string& label : labels) {
    preconditioners.push_back(preconditioner_named(label, matrix));
  }
  if (comm.rank() == 0) {
    std::puts("what,method,preconditioner,iterations,seconds,true_residual");
  }
  for (int i = 5; i < argc; ++i) {
    const Method method = method_named(argv[i]);
    for (std::size_t k = 0; k < labels.size(); ++k) {
      measure_solve(matrix, *preconditioners[k], labels[k], b, method);
    }
    if (most > 0) {
      measure_floor(matrix, b, method, most);
    }
  }
}

void check_flow(const comm::Comm& comm, int n) {
  LidDrivenCavity cavity(comm, n, 100);
  Matrix matrix = make_matrix(comm, cavity.rows());
  constexpr double until = 15;
  (void)cavity.advance(matrix, static_cast<int>(until / cavity.time_step()));
  const double least = cavity.least_on_centre_line();
  if (comm.rank() == 0) {
    std::printf("least_u\n%.6f\n", least);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool checks = argc == 3 && std::string_view(argv[2]) == "check";
  if (!checks && argc < 6) {
    std::fprintf(stderr,
                 "usage: bench_cavity N STEPS MOST PRECONDITIONER,... METHOD... | N check\n");
    return 2;
  }
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    if (checks) {
      check_flow(comm, std::atoi(argv[1]));
    } else {
      compare(comm, argc, argv);
    }
  }
  MPI_Finalize();
}
