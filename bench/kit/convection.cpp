// SPDX-License-Identifier: BSD-3-Clause
// bench_convection N [LIMIT_S] [PLANE]: Rayleigh-Benard convection in a box 4:1:1 at Ra 30,000, Pr
// 0.71 with N cells along the height, from noise until the heat flux stays or LIMIT_S seconds are
// over. One line of comma separated values; the temperature of the middle plane goes to the file
// PLANE.
#include "isthmus/discrete/convection.hpp"
#include "isthmus/comm/collective.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace isthmus;
using discrete::Convection;

namespace {

/// How often the vertical velocity changes its direction along the middle line.
int sign_changes(const std::vector<double>& plane, std::size_t n) {
  int changes = 0;
  double before = 0;
  for (std::size_t i = 0; i < 4 * n; ++i) {
    const double here = plane[i * n + n / 2];
    changes += before * here < 0 ? 1 : 0;
    before = here;
  }
  return changes;
}

void write_plane(const std::string& path, const std::vector<double>& plane, std::size_t n) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::perror(path.c_str());
    return;
  }
  for (std::size_t i = 0; i < plane.size(); ++i) {
    std::fprintf(file, "%.6g%c", plane[i], (i + 1) % n == 0 ? '\n' : ',');
  }
  std::fclose(file);
}

void run(int n, double limit_s, const std::string& path) {
  const comm::Comm comm(MPI_COMM_WORLD);
  Convection box(comm, {.n = n, .rolls = 0});                 // from noise
  const int interval = static_cast<int>(0.02 / box.dt()) + 1; // steps between two looks
  const double begin = MPI_Wtime();
  double before = 0;
  int steps = 0;
  constexpr double at_least = 2; // units of time: noise grows before it changes the heat flux
  while (true) {
    for (int k = 0; k < interval; ++k, ++steps) {
      box.step();
    }
    const auto heat = box.nusselt();
    const bool is_late = comm::bcast(comm, MPI_Wtime() - begin > limit_s);
    if (is_late || (steps * box.dt() > at_least && std::abs(heat[0] - before) < 1e-8 &&
                    std::abs(heat[0] / heat[1] - 1) < 1e-7)) {
      break;
    }
    before = heat[0];
  }
  const double seconds = MPI_Wtime() - begin;
  const auto heat = box.nusselt();
  const auto largest = box.largest();
  const double divergence = box.divergence();
  const auto velocity = box.plane(Convection::w, n / 2 + 1);
  const auto temperature = box.plane(Convection::t, n / 2 + 1);
  if (comm.is_root()) {
    std::printf("ranks,n,steps,time,nu_floor,nu_ceiling,u_max,w_max,sign_changes,divergence,s\n");
    std::printf("%d,%d,%d,%.4f,%.10f,%.10f,%.3f,%.3f,%d,%.2e,%.1f\n", comm.size(), n, steps,
                steps * box.dt(), heat[0], heat[1], largest[0], largest[1],
                sign_changes(velocity, static_cast<std::size_t>(n)), divergence, seconds);
    if (!path.empty()) {
      write_plane(path, temperature, static_cast<std::size_t>(n));
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run(argc > 1 ? std::atoi(argv[1]) : 12, argc > 2 ? std::atof(argv[2]) : 60,
      argc > 3 ? argv[3] : "");
  MPI_Finalize();
}
