// SPDX-License-Identifier: BSD-3-Clause
// Water over a plate, 1 m wide and 0.5 m deep: water CONFIGURATION
//   potential flow, Δφ = 0, without pressure at the top and at the sides; the plate below moves it:
//   φ_y = v, and feels p = -ρ φ_t
// Finite volumes, conjugate gradients. Of each step the plate is told the mean pressure, as forces.
#include <isthmus/isthmus.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr int nx = 64;
constexpr int ny = 32;
constexpr double h = 1.0 / nx; // of square cells
constexpr double density = 1000;

using Field = std::vector<double>; // a value per cell, rows from the plate to the top

/// What flows out of each cell for a φ of zero on the faces of top and sides, and no flow through
/// the plate.
void outflow(const Field& phi, Field& net) {
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int c = j * nx + i;
      double sum = (i > 0 ? phi[c] - phi[c - 1] : 2 * phi[c]);
      sum += (i + 1 < nx ? phi[c] - phi[c + 1] : 2 * phi[c]);
      sum += (j + 1 < ny ? phi[c] - phi[c + nx] : 2 * phi[c]);
      sum += (j > 0 ? phi[c] - phi[c - nx] : 0);
      net[c] = sum;
    }
  }
}

double dot(const Field& a, const Field& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The potential of water whose bottom moves with `velocity`, begun at the guess `phi`.
Field solve(const std::vector<double>& velocity, Field phi) {
  Field r(phi.size());
  outflow(phi, r);
  for (double& value : r) {
    value = -value;
  }
  for (int i = 0; i < nx; ++i) {
    r[i] -= h * velocity[2 * i + 1];
  }
  Field p = r;
  Field q(r.size());
  double rr = dot(r, r);
  for (const double enough = 1e-24 * std::max(rr, 1e-12); rr > enough;) {
    outflow(p, q);
    const double alpha = rr / dot(p, q);
    for (std::size_t c = 0; c < r.size(); ++c) {
      phi[c] += alpha * p[c];
      r[c] -= alpha * q[c];
    }
    const double beta = dot(r, r) / rr;
    rr *= beta;
    for (std::size_t c = 0; c < r.size(); ++c) {
      p[c] = r[c] + beta * p[c];
    }
  }
  return phi;
}

/// φ on the plate, below the cells of the lowest row.
std::vector<double> at_plate(const Field& phi, const std::vector<double>& velocity) {
  std::vector<double> values(nx);
  for (int i = 0; i < nx; ++i) {
    values[i] = phi[i] - h / 2 * velocity[2 * i + 1];
  }
  return values;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: water CONFIGURATION\n", stderr);
    return 2;
  }
  isthmus::Participant participant("Water", argv[1], {});
  std::vector<double> places(2 * nx);
  for (int i = 0; i < nx; ++i) {
    places[2 * i] = (i + 0.5) * h;
  }
  std::vector<isthmus::VertexId> ids(nx);
  participant.set_mesh_vertices("Water-Mesh", places, ids);
  participant.initialize();

  std::vector<double> velocity(2 * nx);
  std::vector<double> force(2 * nx);
  participant.read_data("Water-Mesh", "Velocity", ids, 0, velocity);
  Field phi = solve(velocity, Field(nx * ny));
  std::vector<double> now = at_plate(phi, velocity);
  std::vector<double> before = now; // at the start of the time window
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      before = now;
    }
    const double dt = participant.max_time_step_size();
    participant.read_data("Water-Mesh", "Velocity", ids, dt, velocity);
    phi = solve(velocity, std::move(phi));
    now = at_plate(phi, velocity);
    for (int i = 0; i < nx; ++i) {
      force[2 * i + 1] = h * density * (now[i] - before[i]) / dt; // -p h: water lies on the plate
    }
    participant.write_data("Water-Mesh", "Force", ids, force);
    participant.advance(dt);
    if (participant.requires_reading_checkpoint()) {
      continue; // `before` is still that of the start, and the last φ is a good guess
    }
  }
}
