// SPDX-License-Identifier: BSD-3-Clause
// A solver that does nothing but call the coupler: solverdummy CONFIGURATION SolverOne|SolverTwo
#include <precice/precice.hpp>

#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: solverdummy CONFIGURATION SolverOne|SolverTwo\n";
    return 1;
  }
  const std::string name = argv[2];
  const bool is_one = name == "SolverOne";
  const std::string mesh = name + "-Mesh";
  const std::string written = is_one ? "Data-One" : "Data-Two";
  const std::string read = is_one ? "Data-Two" : "Data-One";
  constexpr int num_vertices = 3;

  precice::Participant participant(name, argv[1], 0, 1);
  std::vector<double> coordinates;
  for (int i = 0; i < num_vertices; ++i) {
    coordinates.insert(coordinates.end(), {i + 0.0, i + 0.5, 0.0});
  }
  std::vector<precice::VertexID> ids(num_vertices);
  std::vector<double> values(num_vertices, 0.0);
  participant.setMeshVertices(mesh, coordinates, ids);
  if (participant.requiresInitialData()) {
    participant.writeData(mesh, written, ids, values);
  }
  participant.initialize();

  while (participant.isCouplingOngoing()) {
    if (participant.requiresWritingCheckpoint()) {
      std::cout << name << ": keep the state\n";
    }
    const double dt = participant.getMaxTimeStepSize();
    participant.readData(mesh, read, ids, dt, values);
    for (double& value : values) {
      value += 1;
    }
    participant.writeData(mesh, written, ids, values);
    participant.advance(dt);
    if (participant.requiresReadingCheckpoint()) {
      std::cout << name << ": go back to the state that was kept\n";
    } else if (participant.isTimeWindowComplete()) {
      std::cout << name << ": the window ends with " << values.front() << '\n';
    }
  }
  participant.finalize();
}
