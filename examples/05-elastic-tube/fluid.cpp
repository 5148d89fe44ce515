// SPDX-License-Identifier: BSD-3-Clause
// An incompressible fluid in a tube that gives way, averaged over its cross section a(x, t):
//   a_t + (a u)_x = 0,   (a u)_t + (a u^2)_x + a p_x / rho = 0
// Finite volumes, upwind, implicit Euler steps, Newton's method. It is given a and answers with p.
//   fluid CONFIGURATION
#include "tube.hpp"

#include <isthmus/isthmus.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace {

using Pair = std::array<double, 2>; // of a cell: u, p; or mass, momentum
using Block = std::array<Pair, 2>;  // its columns are derivatives by u and by p
constexpr double dx = tube::length / tube::cells;

double inflow(double t) {
  return 10 + 3 * std::sin(10 * tube::pi * t);
}

struct State {
  std::vector<Pair> cells = std::vector<Pair>(tube::cells, {inflow(0), 0.0});
  std::vector<double> a = std::vector<double>(tube::cells, tube::area);
};

/// The pressure at the outlet lets waves pass: u and p change there as in a wave that leaves.
double outlet_pressure(double u, const Pair& before) {
  const double c2 = tube::wave_speed_squared();
  const double c = std::sqrt(c2 - before[1] / (2 * tube::density)) - (u - before[0]) / 4;
  return 2 * tube::density * (c2 - c * c);
}

/// What mass and momentum of cell i lack: zero for the solution.
Pair residual(const State& s, const State& old, int i, double t, double dt) {
  const int last = tube::cells - 1;
  const auto [u, p] = s.cells[i];
  const Pair left = i > 0 ? s.cells[i - 1] : Pair{inflow(t), p};
  const Pair right = i < last ? s.cells[i + 1] : Pair{u, outlet_pressure(u, old.cells[last])};
  const double a_left = i > 0 ? (s.a[i - 1] + s.a[i]) / 2 : s.a[0];
  const double a_right = i < last ? (s.a[i] + s.a[i + 1]) / 2 : s.a[last];
  const double in = a_left * (i > 0 ? (left[0] + u) / 2 : left[0]);
  const double out = a_right * (u + right[0]) / 2;
  const double damping = tube::area / (inflow(0) + dx / dt); // against oscillations of the pressure
  const double mass = dx / dt * (s.a[i] - old.a[i]) + out - in -
                      damping / tube::density * (left[1] - 2 * p + right[1]);
  const double momentum = dx / dt * (u * s.a[i] - old.cells[i][0] * old.a[i]) + out * u -
                          in * left[0] +
                          (a_right * (right[1] - p) + a_left * (p - left[1])) / (2 * tube::density);
  return {mass, momentum};
}

/// Derivative of the residual of cell i by u and p of cell j.
Block derivative(State& s, const State& old, int i, int j, double t, double dt) {
  Block result{};
  const Pair at = residual(s, old, i, t, dt);
  for (int k = 0; k < 2; ++k) {
    constexpr double small = 1e-6;
    const double value = s.cells[j][k];
    s.cells[j][k] += small;
    const Pair beside = residual(s, old, i, t, dt);
    s.cells[j][k] = value;
    result[k] = {(beside[0] - at[0]) / small, (beside[1] - at[1]) / small};
  }
  return result;
}

Pair operator*(const Block& m, const Pair& v) {
  return {m[0][0] * v[0] + m[1][0] * v[1], m[0][1] * v[0] + m[1][1] * v[1]};
}

Pair operator-(const Pair& v, const Pair& w) {
  return {v[0] - w[0], v[1] - w[1]};
}

Block inverse(const Block& m) {
  const double det = m[0][0] * m[1][1] - m[1][0] * m[0][1];
  return {{{m[1][1] / det, -m[0][1] / det}, {-m[1][0] / det, m[0][0] / det}}};
}

/// Newton's method from s; the matrix is tridiagonal in blocks of two.
void solve(State& s, const State& old, double t, double dt) {
  for (double change = 1; change > 1e-10;) {
    std::vector<Block> eliminated(tube::cells); // what is right of the diagonal
    std::vector<Pair> x(tube::cells);
    for (int i = 0; i < tube::cells; ++i) {
      Block diagonal = derivative(s, old, i, i, t, dt);
      x[i] = residual(s, old, i, t, dt);
      if (i > 0) {
        const Block left = derivative(s, old, i, i - 1, t, dt);
        for (int k = 0; k < 2; ++k) {
          diagonal[k] = diagonal[k] - left * eliminated[i - 1][k];
        }
        x[i] = x[i] - left * x[i - 1];
      }
      const Block pivot = inverse(diagonal);
      x[i] = pivot * x[i];
      if (i + 1 < tube::cells) {
        const Block right = derivative(s, old, i, i + 1, t, dt);
        eliminated[i] = {pivot * right[0], pivot * right[1]};
      }
    }
    change = 0;
    for (int i = tube::cells - 1; i >= 0; --i) {
      x[i] = i + 1 < tube::cells ? x[i] - eliminated[i] * x[i + 1] : x[i];
      s.cells[i] = s.cells[i] - x[i];
      change = std::max({change, std::abs(x[i][0]), std::abs(x[i][1])});
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: fluid CONFIGURATION\n", stderr);
    return 2;
  }
  isthmus::Participant participant("Fluid", argv[1], {});
  std::vector<isthmus::VertexId> ids(tube::cells);
  participant.set_mesh_vertices("Fluid-Mesh", tube::positions(), ids);
  participant.initialize();

  State old;
  State now;
  std::vector<double> pressure(tube::cells);
  double t = 0;
  while (participant.is_coupling_ongoing()) {
    if (participant.requires_writing_checkpoint()) {
      old = now;
    }
    const double dt = participant.max_time_step_size();
    participant.read_data("Fluid-Mesh", "Area", ids, dt, now.a);
    solve(now, old, t + dt, dt);
    std::transform(now.cells.begin(), now.cells.end(), pressure.begin(),
                   [](const Pair& cell) { return cell[1]; });
    participant.write_data("Fluid-Mesh", "Pressure", ids, pressure);
    participant.advance(dt);
    t += participant.requires_reading_checkpoint() ? 0 : dt;
  }
  std::printf("Fluid at t = %g: in %.4f, out %.4f, pressure %.3f to %.3f\n", t, inflow(t),
              now.cells.back()[0], *std::min_element(pressure.begin(), pressure.end()),
              *std::max_element(pressure.begin(), pressure.end()));
  return 0;
}
