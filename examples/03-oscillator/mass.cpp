// SPDX-License-Identifier: BSD-3-Clause
// Two masses between three springs, wall - 1 - 2 - wall; one process moves each mass.
//   x'' = -(k + k12) x + k12 other(t)
// Both take several Runge-Kutta steps of fourth order per time window, as many as they like, and
// read the other mass wherever a stage needs it: between the samples that the other has sent.
//   mass Mass-1|Mass-2 CONFIGURATION STEPS
#include <isthmus/isthmus.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double k = 4 * pi * pi;
constexpr double k12 = 16 * pi * pi;

struct State {
  double x, v;
};

State operator+(const State& a, const State& b) {
  return {a.x + b.x, a.v + b.v};
}

State operator*(double factor, const State& s) {
  return {factor * s.x, factor * s.v};
}

/// Mass 1 starts at 1, mass 2 at 0: the sum of both modes.
State exact(bool first, double t) {
  const double slow = std::sqrt(k);
  const double fast = std::sqrt(k + 2 * k12);
  const State together{std::cos(slow * t) / 2, -slow * std::sin(slow * t) / 2};
  const State against{std::cos(fast * t) / 2, -fast * std::sin(fast * t) / 2};
  return together + (first ? 1.0 : -1.0) * against;
}

/// `other(s)` is the place of the other mass s after the beginning of the step.
template <class Other>
State runge_kutta(const State& state, double dt, const Other& other) {
  const auto slope = [&other](const State& s, double at) -> State {
    return {s.v, -(k + k12) * s.x + k12 * other(at)};
  };
  const State k1 = slope(state, 0);
  const State k2 = slope(state + dt / 2 * k1, dt / 2);
  const State k3 = slope(state + dt / 2 * k2, dt / 2);
  const State k4 = slope(state + dt * k3, dt);
  return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: mass Mass-1|Mass-2 CONFIGURATION STEPS\n", stderr);
    return 2;
  }
  const std::string name = argv[1];
  const int steps = std::stoi(argv[3]);
  const bool first = name == "Mass-1";
  const std::string mesh = name + "-Mesh";
  const std::string own = first ? "Displacement-1" : "Displacement-2";
  const std::string others = first ? "Displacement-2" : "Displacement-1";

  isthmus::Participant participant(name, argv[2], {});
  const isthmus::VertexId id = participant.set_mesh_vertex(mesh, std::vector<double>{0, 0});
  State state = exact(first, 0);
  if (participant.requires_initial_data()) {
    participant.write_data(mesh, own, {&id, 1}, {&state.x, 1});
  }
  participant.initialize();

  const double window = participant.max_time_step_size();
  const auto other = [&](double at) {
    double x = 0;
    participant.read_data(mesh, others, {&id, 1}, at, {&x, 1});
    return x;
  };
  State checkpoint = state;
  double t = 0;
  double checkpoint_t = t;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      checkpoint = state;
      checkpoint_t = t;
    }
    const double rest = participant.max_time_step_size();
    const double dt = rest < 1.5 * window / steps ? rest : window / steps;
    state = runge_kutta(state, dt, other);
    t += dt;
    participant.write_data(mesh, own, {&id, 1}, {&state.x, 1});
    participant.advance(dt);
    if (participant.requires_reading_checkpoint()) {
      state = checkpoint;
      t = checkpoint_t;
    }
  }
  const State off = state + -1.0 * exact(first, t);
  const double error = std::hypot(off.x, off.v / std::sqrt(k + 2 * k12)); // as a distance
  std::printf("%s at t = %g is at %.6f, error %.3e\n", name.c_str(), t, state.x, error);
  return error < 0.1 ? 0 : 1;
}
