// SPDX-License-Identifier: BSD-3-Clause
// A program written for preCICE, one half of a coupled run.
#include <precice/Tooling.hpp>
#include <precice/precice.hpp>

#include <cstdio>
#include <vector>

int main(int, char** argv) {
  precice::tooling::checkConfiguration(argv[1], "Sender", 1);
  precice::Participant sender("Sender", argv[1], 0, 1);
  std::vector<int> ids(2);
  sender.setMeshVertices("Line", std::vector<double>{0, 0, 1, 0}, ids);
  sender.initialize();
  for (double time = 0; sender.isCouplingOngoing();) {
    const double dt = sender.getMaxTimeStepSize();
    time += dt;
    sender.writeData("Line", "Heat", ids, std::vector<double>{time, 2 * time});
    sender.advance(dt);
  }
  std::puts(precice::getVersionInformation().c_str());
}
