// SPDX-License-Identifier: BSD-3-Clause
// A solver that couples nothing and uses the communicator of the kit.
#include <isthmus/base/error.hpp>
#include <isthmus/comm/comm.hpp>

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const isthmus::comm::Comm comm(MPI_COMM_WORLD);
    isthmus::check(comm.size() >= 1, "no ranks");
  }
  MPI_Finalize();
}
