// SPDX-License-Identifier: BSD-3-Clause
// bench_dam_break N until T: a dam breaks on N x N cells until time T (see discrete/dam_break.hpp);
// lines of time and front of the water on the floor, then the bounds.
#include "isthmus/discrete/dam_break.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace isthmus;
using discrete::DamBreak;

namespace {

void run(const comm::Comm& comm, int n, double until) {
  constexpr double courant = 0.4;
  DamBreak flow(comm, n, 1, {.correctors = 2, .solver = {.relative = 1e-7}});
  double time = 0;
  double before = -1;
  double overshoot = 0;
  double volume = 0;
  double first_volume = 0;
  int steps = 0;
  while (time < until) {
    const double dt = std::min(flow.time_step(courant), 0.25 / n);
    const DamBreak::Report report = flow.step(dt);
    check(report.converged, "no pressure at time {}", time);
    time += dt;
    overshoot = std::max({overshoot, -report.least, report.largest - 1});
    volume = report.volume;
    first_volume = steps++ == 0 ? volume : first_volume;
    if (const double front = flow.front(); front != before && comm.is_root()) {
      std::printf("%.4f,%.4f\n", time, front);
      before = front;
    }
  }
  if (comm.is_root()) {
    std::printf("steps,overshoot,volume_change\n%d,%.3g,%.3g\n", steps, overshoot,
                std::abs(volume / first_volume - 1));
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4 || std::string_view(argv[2]) != "until") {
    std::fprintf(stderr, "usage: bench_dam_break N until T\n");
    return 2;
  }
  run(comm::Comm(MPI_COMM_WORLD), std::atoi(argv[1]), std::atof(argv[3]));
  MPI_Finalize();
}
