// SPDX-License-Identifier: BSD-3-Clause
// A program written for Isthmus, the other half.
#include <isthmus/isthmus.hpp>

#include <array>
#include <cmath>
#include <cstdio>

int main(int, char** argv) {
  isthmus::Participant receiver("Receiver", argv[1], {});
  std::array<int, 2> ids{};
  receiver.set_mesh_vertices("Points", std::array{0.1, 0.0, 0.9, 0.0}, ids);
  receiver.initialize();
  std::array<double, 2> heat{};
  double time = 0;
  while (receiver.is_coupling_ongoing()) {
    const double dt = receiver.max_time_step_size();
    time += dt;
    receiver.advance(dt);
    receiver.read_data("Points", "Heat", ids, 0, heat);
    std::printf("t = %g: %g %g\n", time, heat[0], heat[1]);
  }
  const bool right = std::abs(heat[0] - time) < 1e-12 && std::abs(heat[1] - 2 * time) < 1e-12;
  return right ? 0 : 1;
}
