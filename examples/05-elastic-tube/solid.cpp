// SPDX-License-Identifier: BSD-3-Clause
// The wall of the tube: rings that do not know each other, a = a0 (2 c^2 / (2 c^2 - p / rho))^2
// with the speed c of waves. It is given the pressure p and answers with the cross section a.
//   solid CONFIGURATION
#include "tube.hpp"

#include <isthmus/isthmus.hpp>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: solid CONFIGURATION\n", stderr);
    return 2;
  }
  isthmus::Participant participant("Solid", argv[1], {});
  std::vector<isthmus::VertexId> ids(tube::cells);
  participant.set_mesh_vertices("Solid-Mesh", tube::positions(), ids);
  std::vector<double> pressure(tube::cells);
  std::vector<double> area(tube::cells, tube::area);
  if (participant.requires_initial_data()) {
    participant.write_data("Solid-Mesh", "Area", ids, area);
  }
  participant.initialize();

  const double c2 = 2 * tube::wave_speed_squared();
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      // the wall has no mass: there is no state to keep
    }
    const double dt = participant.max_time_step_size();
    participant.read_data("Solid-Mesh", "Pressure", ids, dt, pressure);
    for (int i = 0; i < tube::cells; ++i) {
      const double stretch = c2 / (c2 - pressure[i] / tube::density);
      area[i] = tube::area * stretch * stretch;
    }
    participant.write_data("Solid-Mesh", "Area", ids, area);
    participant.advance(dt);
    if (participant.requires_reading_checkpoint()) {
      continue;
    }
  }
  const auto [low, high] = std::minmax_element(area.begin(), area.end());
  std::printf("Solid: cross sections %.6f to %.6f\n", *low, *high);
  return 0;
}
