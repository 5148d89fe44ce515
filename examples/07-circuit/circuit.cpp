// SPDX-License-Identifier: BSD-3-Clause
// A coil and a capacitor in a ring, a process each, by the trapezoidal rule:
//   Coil:       L di/dt =  u,   sends the current i
//   Capacitor:  C du/dt = -i,   sends the voltage u
// Coupled until both agree this is the trapezoidal rule for the whole circuit, which loses nothing:
// the energy L i^2 / 2 + C u^2 / 2 stays what it was.
//   circuit Coil|Capacitor CONFIGURATION
#include <isthmus/isthmus.hpp>

#include <cmath>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: circuit Coil|Capacitor CONFIGURATION\n", stderr);
    return 2;
  }
  const std::string name = argv[1];
  const bool coil = name == "Coil";
  const std::string mesh = name + "-Mesh";
  const std::string own = coil ? "Current" : "Voltage";
  const std::string others = coil ? "Voltage" : "Current";
  const double inductance = 1;
  const double capacitance = 1;
  const double slope = coil ? 1 / inductance : -1 / capacitance; // of the own by the other

  isthmus::Participant participant(name, argv[2], {});
  const isthmus::VertexId id = participant.set_mesh_vertex(mesh, std::vector<double>{0, 0});
  double value = coil ? 0 : 1; // the capacitor is charged
  if (participant.requires_initial_data()) {
    participant.write_data(mesh, own, {&id, 1}, {&value, 1});
  }
  participant.initialize();

  const auto other = [&](double at) {
    double read = 0;
    participant.read_data(mesh, others, {&id, 1}, at, {&read, 1});
    return read;
  };
  double at_start = value; // of the time window
  double other_at_end = 0;
  double t = 0;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      at_start = value;
    }
    const double dt = participant.max_time_step_size();
    other_at_end = other(dt);
    value = at_start + dt / 2 * slope * (other(0) + other_at_end);
    participant.write_data(mesh, own, {&id, 1}, {&value, 1});
    participant.advance(dt);
    t += participant.requires_reading_checkpoint() ? 0 : dt;
  }

  const double current = coil ? value : other_at_end;
  const double voltage = coil ? other_at_end : value;
  const double energy = inductance * current * current / 2 + capacitance * voltage * voltage / 2;
  const double frequency = 1 / std::sqrt(inductance * capacitance);
  const double exact = coil ? std::sin(frequency * t) : std::cos(frequency * t);
  std::printf("%s at t = %g: %s %.6f, off by %.1e; of the energy %.1e is lost\n", name.c_str(), t,
              own.c_str(), value, std::abs(value - exact), 1 - 2 * energy / capacitance);
  return std::abs(1 - 2 * energy / capacitance) < 1e-8 ? 0 : 1;
}
