// SPDX-License-Identifier: BSD-3-Clause
// bench_petsc N STEPS REPEAT: solvers of PETSc and of Isthmus by turns on the pressure system of
// the lid-driven cavity, with the same preconditioner, norm and limit (1e-8). One comma separated
// line for each pair of solvers; seconds are of the fastest of REPEAT runs.
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/block_factor.hpp"
#include "isthmus/la/diagonal.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "lid.hpp"

#include <petscksp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

using namespace isthmus;
using namespace isthmus::la;

namespace {

constexpr double limit = 1e-8;
constexpr int most_iterations = 20000;

/// Ends the program where PETSc reports an error.
void check_petsc(PetscErrorCode code) {
  if (code != 0) {
    PETSCABORT(PETSC_COMM_WORLD, code);
  }
}

struct Pair {
  const char* theirs; // a type of KSP
  Method ours;
  bool factor; // incomplete factors of each rank's block, or the diagonal
};

struct Run {
  int iterations = 0;
  double seconds = std::numeric_limits<double>::infinity(); // per iteration
  std::vector<double> x;
};

/// The same system as PETSc holds it.
struct System {
  Mat matrix = nullptr;
  Vec b = nullptr;
  Vec x = nullptr;

  System(const Matrix& a, std::span<const double> rhs) {
    const GlobalRows rows = a.global_rows();
    const PetscInt n = a.num_rows();
    std::vector<PetscInt> offsets(rows.offsets.begin(), rows.offsets.end());
    std::vector<PetscInt> columns(rows.columns.begin(), rows.columns.end());
    check_petsc(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, n, n, PETSC_DETERMINE, PETSC_DETERMINE,
                                          offsets.data(), columns.data(), rows.values.data(),
                                          &matrix));
    check_petsc(MatCreateVecs(matrix, &x, &b));
    PetscScalar* values = nullptr;
    check_petsc(VecGetArray(b, &values));
    std::copy(rhs.begin(), rhs.end(), values);
    check_petsc(VecRestoreArray(b, &values));
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  ~System() {
    check_petsc(VecDestroy(&b));
    check_petsc(VecDestroy(&x));
    check_petsc(MatDestroy(&matrix));
  }
};

KSP make_solver(const System& system, const Pair& pair) {
  KSP solver = nullptr;
  PC preconditioner = nullptr;
  check_petsc(KSPCreate(PETSC_COMM_WORLD, &solver));
  check_petsc(KSPSetOperators(solver, system.matrix, system.matrix));
  check_petsc(KSPSetType(solver, pair.theirs));
  check_petsc(KSPGetPC(solver, &preconditioner));
  // ILU(0) of each block, which for a symmetric matrix is IC(0)
  check_petsc(PCSetType(preconditioner, pair.factor ? PCBJACOBI : PCJACOBI));
  if (pair.ours == Method::gmres || pair.ours == Method::gmres_pipelined) {
    check_petsc(KSPSetPCSide(solver, PC_RIGHT));
    check_petsc(KSPGMRESSetRestart(solver, Settings{}.restart));
  }
  if (pair.ours != Method::gmres_pipelined) {
    check_petsc(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
  }
  check_petsc(KSPSetTolerances(solver, limit, 1e-300, 1e8, most_iterations));
  check_petsc(KSPSetFromOptions(solver)); // pipeprcg recomputes only after this
  check_petsc(KSPSetUp(solver));
  return solver;
}

void run_theirs(const comm::Comm& comm, KSP solver, const System& system, Run& run) {
  check_petsc(VecZeroEntries(system.x));
  comm::barrier(comm);
  const double begin = MPI_Wtime();
  check_petsc(KSPSolve(solver, system.b, system.x));
  const double seconds = comm::allreduce(comm, MPI_Wtime() - begin, comm::Op::max);
  PetscInt iterations = 0;
  PetscInt n = 0;
  const PetscScalar* values = nullptr;
  check_petsc(KSPGetIterationNumber(solver, &iterations));
  check_petsc(VecGetLocalSize(system.x, &n));
  check_petsc(VecGetArrayRead(system.x, &values));
  run.x.assign(values, values + n);
  check_petsc(VecRestoreArrayRead(system.x, &values));
  run.iterations = static_cast<int>(iterations);
  run.seconds = std::min(run.seconds, seconds / run.iterations);
}

void run_ours(Matrix& matrix, Preconditioner& preconditioner, std::span<const double> b,
              Method method, Run& run) {
  run.x.assign(b.size(), 0);
  comm::barrier(matrix.comm());
  const double begin = MPI_Wtime();
  const Report report =
      solve(matrix, preconditioner, b, run.x,
            {.method = method, .relative = limit, .max_iterations = most_iterations});
  const double seconds = comm::allreduce(matrix.comm(), MPI_Wtime() - begin, comm::Op::max);
  run.iterations = report.iterations;
  run.seconds = std::min(run.seconds, seconds / run.iterations);
}

/// Largest difference over the largest entry.
double difference(const comm::Comm& comm, std::span<const double> a, std::span<const double> b) {
  std::vector<double> worst(2);
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst[0] = std::max(worst[0], std::abs(a[i] - b[i]));
    worst[1] = std::max(worst[1], std::abs(a[i]));
  }
  comm::allreduce(comm, std::span(worst), comm::Op::max);
  return worst[0] / worst[1];
}

void compare(const comm::Comm& comm, int n, int steps, int repeat) {
  LidDrivenCavity cavity(comm, n, 1000);
  Matrix matrix = make_matrix(comm, cavity.rows());
  const std::vector<double> b = cavity.advance(matrix, steps);
  const System system(matrix, b);
  Diagonal diagonal(matrix);
  BlockFactor factor(matrix, BlockFactor::Kind::lu);
  constexpr Pair pairs[] = {{KSPCG, Method::cg, false},
                            {KSPCG, Method::cg, true},
                            {KSPPIPECG, Method::cg_pipelined, false},
                            {KSPPIPECG, Method::cg_pipelined, true},
                            {KSPPIPEPRCG, Method::cg_predicted, false},
                            {KSPPIPEPRCG, Method::cg_predicted, true},
                            {KSPGMRES, Method::gmres, true},
                            {KSPPGMRES, Method::gmres_pipelined, true},
                            {KSPBCGS, Method::bicgstab, true},
                            {KSPPIPEBCGS, Method::bicgstab_pipelined, true}};
  if (comm.rank() == 0) {
    std::puts(
        "theirs,method,preconditioner,their_iterations,iterations,their_seconds,seconds,"
        "difference");
  }
  for (const Pair& pair : pairs) {
    Preconditioner& preconditioner = pair.factor ? static_cast<Preconditioner&>(factor) : diagonal;
    KSP solver = make_solver(system, pair);
    Run theirs;
    Run ours;
    for (int i = 0; i < repeat; ++i) {
      run_theirs(comm, solver, system, theirs);
      run_ours(matrix, preconditioner, b, pair.ours, ours);
    }
    check_petsc(KSPDestroy(&solver));
    const double differs = difference(comm, theirs.x, ours.x);
    if (comm.rank() == 0) {
      std::printf("%s,%s,%s,%d,%d,%.4g,%.4g,%.3g\n", pair.theirs,
                  std::string(name(pair.ours)).c_str(), pair.factor ? "factor" : "diagonal",
                  theirs.iterations, ours.iterations, theirs.seconds, ours.seconds, differs);
      std::fflush(stdout);
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_petsc N STEPS REPEAT\n");
    return 2;
  }
  check_petsc(PetscInitialize(&argc, &argv, nullptr, nullptr));
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    compare(comm, std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]));
  }
  check_petsc(PetscFinalize());
}
