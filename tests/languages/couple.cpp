// SPDX-License-Identifier: BSD-3-Clause
// One side of the scenario that couple.c and couple.f90 play too: couple CONFIGURATION A|B
// prints what it reads in each iteration.
#include <precice/precice.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string name = argv[2];
  const std::string mesh = name + "-Mesh";
  const bool is_a = name == "A";
  const std::string written = is_a ? "A-Heat" : "B-Force";
  const std::string read = is_a ? "B-Force" : "A-Heat";
  precice::Participant participant(name, argv[1], 0, 1);
  std::vector<double> positions;
  for (int i = 0; i < 3; ++i) {
    positions.insert(positions.end(), {is_a ? i : i + 0.25, is_a ? 0 : 0.5});
  }
  std::vector<int> ids(3);
  participant.setMeshVertices(mesh, positions, ids);
  if (participant.requiresMeshConnectivityFor(mesh)) {
    participant.setMeshEdge(mesh, ids[0], ids[1]);
    participant.setMeshEdges(mesh, std::vector<int>{ids[1], ids[2]});
  }
  const int width = participant.getDataDimensions(mesh, written);
  std::vector<double> out(static_cast<std::size_t>(3 * width), 7);
  if (participant.requiresInitialData()) {
    participant.writeData(mesh, written, ids, out);
  }
  participant.initialize();
  std::vector<double> in(static_cast<std::size_t>(3 * participant.getDataDimensions(mesh, read)));
  double time = 0;
  double start = 0;
  while (participant.isCouplingOngoing()) {
    if (participant.requiresWritingCheckpoint()) {
      start = time;
    }
    const double dt = participant.getMaxTimeStepSize();
    participant.readData(mesh, read, ids, dt, in);
    std::printf("%.17g:", time);
    for (const double value : in) {
      std::printf(" %.17g", value);
    }
    std::printf("\n");
    time += dt;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = in[i % in.size()] / 3 + time + static_cast<double>(i);
    }
    participant.writeData(mesh, written, ids, out);
    participant.advance(dt);
    if (participant.requiresReadingCheckpoint()) {
      time = start;
    }
  }
  participant.finalize();
  return 0;
}
