// SPDX-License-Identifier: BSD-3-Clause
// Two masses between three springs, wall - 1 - 2 - wall; one process moves each mass. Nothing in
// this file knows Isthmus: it is written for preCICE 3 and built against the drop-in.
//   x'' = -(k + k12) x + k12 other(t)
#include <precice/precice.hpp>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double k = 4 * pi * pi;
constexpr double k12 = 16 * pi * pi;

struct State {
  double t, x, v, a;
};

double acceleration(double x, double other) {
  return -(k + k12) * x + k12 * other;
}

// Newmark with constant average acceleration.
State step(const State& s, double dt, double other_at_end) {
  const double predicted = s.x + dt * s.v + dt * dt / 4 * s.a;
  const double x = (predicted + dt * dt / 4 * k12 * other_at_end) / (1 + dt * dt / 4 * (k + k12));
  const double a = acceleration(x, other_at_end);
  return {s.t + dt, x, s.v + dt / 2 * (s.a + a), a};
}

// Mass 1 starts at 1, mass 2 at 0: the sum of both modes.
double exact(bool first, double t) {
  const double together = std::cos(std::sqrt(k) * t) / 2;
  const double against = std::cos(std::sqrt(k + 2 * k12) * t) / 2;
  return first ? together + against : together - against;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: oscillator CONFIGURATION Mass-1|Mass-2\n";
    return 2;
  }
  const std::string name = argv[2];
  const bool first = name == "Mass-1";
  const std::string mesh = name + "-Mesh";
  const std::string own = first ? "Displacement-1" : "Displacement-2";
  const std::string others = first ? "Displacement-2" : "Displacement-1";

  precice::Participant participant(name, argv[1], 0, 1);
  const std::vector<double> position(participant.getMeshDimensions(mesh), 0.0);
  std::vector<precice::VertexID> id{participant.setMeshVertex(mesh, position)};

  State state{0, exact(first, 0), 0, acceleration(exact(first, 0), exact(!first, 0))};
  if (participant.requiresInitialData()) {
    participant.writeData(mesh, own, id, {&state.x, 1});
  }
  participant.initialize();

  State checkpoint = state;
  while (participant.isCouplingOngoing()) {
    if (participant.requiresWritingCheckpoint()) {
      checkpoint = state;
    }
    const double dt = participant.getMaxTimeStepSize();
    double other = 0;
    participant.readData(mesh, others, id, dt, {&other, 1});
    state = step(state, dt, other);
    participant.writeData(mesh, own, id, {&state.x, 1});
    participant.advance(dt);
    if (participant.requiresReadingCheckpoint()) {
      state = checkpoint;
    }
  }
  participant.finalize();

  const double error = std::abs(state.x - exact(first, state.t));
  std::cout << name << " at t = " << state.t << " is at " << state.x << ", off by " << error
            << '\n';
  return error < 1e-2 ? 0 : 1;
}
