/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_COMM_WORLD as the interfaces of C and Fortran take it. */
#include <mpi.h>
#include <stddef.h>

void* world_of_c(void) {
  static MPI_Comm world;
  MPI_Init(NULL, NULL);
  world = MPI_COMM_WORLD;
  return &world;
}

int world_of_fortran(void) {
  MPI_Init(NULL, NULL);
  return (int)MPI_Comm_c2f(MPI_COMM_WORLD);
}

void end_of_world(void) {
  MPI_Finalize();
}
