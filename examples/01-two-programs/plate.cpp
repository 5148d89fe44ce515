// SPDX-License-Identifier: BSD-3-Clause
// A thin plate, heated from behind (1 + y) and cooled in front by the flux that the coolant takes:
//   dT/dt = conductance (1 + y - T) - flux
// It ends at T = 2/3 (1 + y) with the coolant of coolant.cpp.
#include "side.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  isthmus::Launch launch;
  MPI_Comm_rank(MPI_COMM_WORLD, &launch.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &launch.size);

  double error = 0;
  {
    // 1. Take part, and define the mesh.
    isthmus::Participant participant("Plate", argv[1], launch);
    Side side(participant, "Plate-Surface", 11);
    std::vector<double> temperature(side.y.size(), 0.0);

    // 2. Find the partners.
    participant.initialize();

    // 3. Step until the coupling ends.
    const double conductance = 2.0;
    while (participant.is_coupling_ongoing()) {
      const double dt = participant.max_time_step_size();
      const auto flux = side.read("Flux");
      for (std::size_t i = 0; i < temperature.size(); ++i) {
        temperature[i] += dt * (conductance * (1.0 + side.y[i] - temperature[i]) - flux[i]);
      }
      side.write("Temperature", temperature);
      participant.advance(dt);
    }

    // 4. Compare with the steady state.
    for (std::size_t i = 0; i < temperature.size(); ++i) {
      error = std::max(error, std::abs(temperature[i] - 2.0 / 3.0 * (1.0 + side.y[i])));
    }
    std::printf("plate, rank %d: temperature off by %.1e\n", launch.rank, error);
  }
  MPI_Finalize();
  return error < 1e-6 ? 0 : 1;
}
