// SPDX-License-Identifier: BSD-3-Clause
// A coolant at temperature 0 that takes heat from the plate: flux = T. Its points do not match
// those of the plate; nearest projection onto the plate's edges interpolates linearly between them.
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
    isthmus::Participant participant("Coolant", argv[1], launch);
    Side side(participant, "Coolant-Surface", 8);
    participant.initialize();
    std::vector<double> flux;
    while (participant.is_coupling_ongoing()) {
      flux = side.read("Temperature");
      side.write("Flux", flux);
      participant.advance(participant.max_time_step_size());
    }
    for (std::size_t i = 0; i < flux.size(); ++i) {
      error = std::max(error, std::abs(flux[i] - 2.0 / 3.0 * (1.0 + side.y[i])));
    }
    std::printf("coolant, rank %d: flux off by %.1e\n", launch.rank, error);
  }
  MPI_Finalize();
  return error < 1e-6 ? 0 : 1;
}
