/* SPDX-License-Identifier: BSD-3-Clause */
/* The scenario of couple.cpp in C: couple CONFIGURATION A|B */
#include <precice/preciceC.h>
#include <stdio.h>

int main(int argc, char** argv) {
  (void)argc;
  const char* name = argv[2];
  const int is_a = name[0] == 'A';
  const char* mesh = is_a ? "A-Mesh" : "B-Mesh";
  const char* written = is_a ? "A-Heat" : "B-Force";
  const char* read = is_a ? "B-Force" : "A-Heat";
  precicec_createParticipant(name, argv[1], 0, 1);
  double positions[6];
  for (int i = 0; i < 3; ++i) {
    positions[2 * i] = is_a ? i : i + 0.25;
    positions[2 * i + 1] = is_a ? 0 : 0.5;
  }
  int ids[3];
  ids[0] = precicec_setMeshVertex(mesh, positions);
  precicec_setMeshVertices(mesh, 2, positions + 2, ids + 1);
  if (precicec_requiresMeshConnectivityFor(mesh)) {
    precicec_setMeshEdge(mesh, ids[0], ids[1]);
    precicec_setMeshEdges(mesh, 1, ids + 1);
  }
  const int num_out = 3 * precicec_getDataDimensions(mesh, written);
  const int num_in = 3 * precicec_getDataDimensions(mesh, read);
  double out[6] = {7, 7, 7, 7, 7, 7};
  double in[6];
  if (precicec_requiresInitialData()) {
    precicec_writeData(mesh, written, 3, ids, out);
  }
  precicec_initialize();
  double time = 0;
  double start = 0;
  while (precicec_isCouplingOngoing()) {
    if (precicec_requiresWritingCheckpoint()) {
      start = time;
    }
    const double dt = precicec_getMaxTimeStepSize();
    precicec_readData(mesh, read, 3, ids, dt, in);
    printf("%.17g:", time);
    for (int i = 0; i < num_in; ++i) {
      printf(" %.17g", in[i]);
    }
    printf("\n");
    time += dt;
    for (int i = 0; i < num_out; ++i) {
      out[i] = in[i % num_in] / 3 + time + i;
    }
    precicec_writeData(mesh, written, 3, ids, out);
    precicec_advance(dt);
    if (precicec_requiresReadingCheckpoint()) {
      time = start;
    }
  }
  precicec_finalize();
  return 0;
}
