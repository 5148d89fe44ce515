// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program: MPI around doctest, cases in declared order on all ranks, and one
// verdict for all of them.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); // participants may run in threads
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  doctest::Context context(argc, argv);
  context.setOption("order-by", "file");
  context.setOption("no-intro", true);
  context.setOption("minimal", rank != 0);
  int failed = context.run();
  int worst = 0;
  MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
