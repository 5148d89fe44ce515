/* Participant @NAME@: replace what is marked by your solver. */
#include <precice/preciceC.h>

#include <stdio.h>

enum { size = @POINTS@, num_inputs = @NUM_READS@ };

int main(void) {
  const char* const inputs[] = {@READS@};
  double points[2 * size]; /* yours: the interface, x0 y0 x1 y1 … */
  double values[size], input[size], time = 0;
  int ids[size];
  for (int i = 0; i < size; ++i) {
    points[2 * i] = i / (size - 1.0);
    points[2 * i + 1] = 0;
  }
  precicec_createParticipant("@NAME@", "@CONFIG@", 0, 1);
  precicec_setMeshVertices("@NAME@-Mesh", size, points, ids);
  precicec_initialize();
  while (precicec_isCouplingOngoing()) {
    const double dt = precicec_getMaxTimeStepSize(); /* yours: or a smaller step */
    double sum = 0;
    for (int i = 0; i < size; ++i) {
      values[i] = points[2 * i]; /* yours: the solver's step from time to time + dt */
    }
    for (int n = 0; n < num_inputs; ++n) {
      precicec_readData("@NAME@-Mesh", inputs[n], size, ids, dt, input);
      for (int i = 0; i < size; ++i) {
        values[i] += input[i] / num_inputs;
      }
    }
    for (int i = 0; i < size; ++i) {
      sum += values[i];
    }
    time += dt;
    precicec_writeData("@NAME@-Mesh", "@NAME@-Data", size, ids, values);
    precicec_advance(dt);
    printf("@NAME@ time %g: mean %g\n", time, sum / size);
  }
  precicec_finalize();
  return 0;
}
