/* SPDX-License-Identifier: BSD-3-Clause */
/* The light membrane, -1 <= x <= 0, periodic in y: left CONFIGURATION
 *   u_tt = u_xx + u_yy, an oblique wave comes in at x = -1
 * Leapfrog. The nodes of the joint are moved here, by the forces and with the masses of both sides. */
#include <math.h>
#include <precice/preciceC.h>
#include <stdio.h>

enum { NX = 64, NY = 64 };
static const double pi = 3.14159265358979323846;
static const double dx = 1.0 / NX, dy = 1.0 / NY;
static const double heavy = 4; /* density of the other membrane; the tension of both is 1 */

/* The wave that comes, at 45 degrees, and what the joint throws back. */
static double exact(double x, double y, double t) {
  const double ky = 2 * pi, kx = ky, omega = sqrt(kx * kx + ky * ky);
  const double kx_beyond = sqrt(heavy * omega * omega - ky * ky);
  const double back = (kx - kx_beyond) / (kx + kx_beyond);
  return cos(kx * x + ky * y - omega * t) + back * cos(-kx * x + ky * y - omega * t);
}

/* What pulls at node i, j across y, per square of dy. */
static double bend(double u[NX + 1][NY], int i, int j) {
  return u[i][(j + 1) % NY] - 2 * u[i][j] + u[i][(j + NY - 1) % NY];
}

/* Writes the field; returns its largest error, or -1 where the file cannot be written. */
static double write_field(const char* name, double u[NX + 1][NY], double t) {
  double error = 0;
  FILE* file = fopen(name, "w");
  for (int i = 0; file && i <= NX; ++i) {
    for (int j = 0; j < NY; ++j) {
      error = fmax(error, fabs(u[i][j] - exact(i * dx - 1, j * dy, t)));
      fprintf(file, "%.9g %.9g %.9g\n", i * dx - 1, j * dy, u[i][j]);
    }
  }
  return !file || fclose(file) ? -1 : error;
}

int main(int argc, char** argv) {
  static double old[NX + 1][NY], now[NX + 1][NY], next[NX + 1][NY];
  double points[2 * NY] = {0}, force[NY], mass[NY];
  int ids[NY];
  if (argc != 2) {
    fputs("usage: left CONFIGURATION\n", stderr);
    return 2;
  }
  for (int j = 0; j < NY; ++j) {
    points[2 * j + 1] = j * dy;
  }
  precicec_createParticipant("Left", argv[1], 0, 1);
  precicec_setMeshVertices("Left-Mesh", NY, points, ids);
  precicec_initialize();
  const double dt = precicec_getMaxTimeStepSize();
  for (int i = 0; i <= NX; ++i) {
    for (int j = 0; j < NY; ++j) {
      old[i][j] = exact(i * dx - 1, j * dy, -dt);
      now[i][j] = exact(i * dx - 1, j * dy, 0);
    }
  }

  double t = 0;
  while (precicec_isCouplingOngoing()) {
    precicec_readData("Left-Mesh", "Force", NY, ids, 0, force);
    precicec_readData("Left-Mesh", "Mass", NY, ids, 0, mass);
    for (int j = 0; j < NY; ++j) {
      next[0][j] = exact(-1, j * dy, t + dt);
      for (int i = 1; i < NX; ++i) {
        const double pull = (now[i + 1][j] - 2 * now[i][j] + now[i - 1][j]) / (dx * dx) +
                            bend(now, i, j) / (dy * dy);
        next[i][j] = 2 * now[i][j] - old[i][j] + dt * dt * pull;
      }
      const double pull = (now[NX - 1][j] - now[NX][j]) / dx * dy + bend(now, NX, j) / dy * dx / 2;
      next[NX][j] = 2 * now[NX][j] - old[NX][j] +
                    dt * dt * (pull + force[j]) / (dx * dy / 2 + mass[j]);
    }
    for (int i = 0; i <= NX; ++i) {
      for (int j = 0; j < NY; ++j) {
        old[i][j] = now[i][j];
        now[i][j] = next[i][j];
      }
    }
    t += dt;
    precicec_writeData("Left-Mesh", "Displacement", NY, ids, now[NX]);
    precicec_advance(dt);
  }
  precicec_finalize();

  const double error = write_field("left.txt", now, t);
  if (error < 0) {
    fputs("left.txt cannot be written\n", stderr);
    return 1;
  }
  printf("Left at t = %g: largest error %.3e\n", t, error);
  return error < 0.05 ? 0 : 1;
}
