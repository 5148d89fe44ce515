/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver that does nothing but call the coupler: solverdummy CONFIGURATION SolverOne|SolverTwo */
#include <precice/preciceC.h>
#include <stdio.h>
#include <string.h>

enum { NUM_VERTICES = 3 };

int main(int argc, char** argv) {
  if (argc != 3) {
    fputs("usage: solverdummy CONFIGURATION SolverOne|SolverTwo\n", stderr);
    return 1;
  }
  const char* name = argv[2];
  const int is_one = strcmp(name, "SolverOne") == 0;
  const char* mesh = is_one ? "SolverOne-Mesh" : "SolverTwo-Mesh";
  const char* written = is_one ? "Data-One" : "Data-Two";
  const char* read = is_one ? "Data-Two" : "Data-One";
  double coordinates[3 * NUM_VERTICES], values[NUM_VERTICES] = {0};
  int ids[NUM_VERTICES];
  for (int i = 0; i < NUM_VERTICES; ++i) {
    coordinates[3 * i] = i;
    coordinates[3 * i + 1] = i + 0.5;
    coordinates[3 * i + 2] = 0;
  }

  precicec_createParticipant(name, argv[1], 0, 1);
  precicec_setMeshVertices(mesh, NUM_VERTICES, coordinates, ids);
  if (precicec_requiresInitialData()) {
    precicec_writeData(mesh, written, NUM_VERTICES, ids, values);
  }
  precicec_initialize();

  while (precicec_isCouplingOngoing()) {
    if (precicec_requiresWritingCheckpoint()) {
      printf("%s: keep the state\n", name);
    }
    const double dt = precicec_getMaxTimeStepSize();
    precicec_readData(mesh, read, NUM_VERTICES, ids, dt, values);
    for (int i = 0; i < NUM_VERTICES; ++i) {
      values[i] += 1;
    }
    precicec_writeData(mesh, written, NUM_VERTICES, ids, values);
    precicec_advance(dt);
    if (precicec_requiresReadingCheckpoint()) {
      printf("%s: go back to the state that was kept\n", name);
    } else if (precicec_isTimeWindowComplete()) {
      printf("%s: the window ends with %g\n", name, values[0]);
    }
  }
  precicec_finalize();
  return 0;
}
