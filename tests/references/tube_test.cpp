// SPDX-License-Identifier: BSD-3-Clause
// Flow in an elastic tube (Degroote, Bruggeman, Haelterman, Vierendeels 2008, Comput. Struct. 86,
// 2224) beside what preCICE logged of it: its own logs lie in its tutorials, commit 174d2db,
// elastic-tube-1d/solid-python and fluid-python.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "references/log_rows.hpp"

#include <doctest/doctest.h>
#include <Eigen/SparseLU>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using couple::in_threads;
using couple::play;
using couple::Scenario;
using couple::Seat;
using couple::WorkingDirectory;
using Eigen::VectorXd;

namespace {

constexpr int last = 100; // of the points 0, 1, …
constexpr double spacing = 0.1;
const double pi = std::acos(-1.0);
const double c2 = 5000 * std::sqrt(pi); // square of the speed of waves in the undeformed tube
constexpr int windows = 13;             // in later ones rounding decides which columns stay

std::string configuration() {
  Scenario scenario{
      {{.first = "Fluid",
        .second = "Solid",
        .kind = "serial-implicit",
        .window = 0.01,
        .max_windows = windows,
        .control = R"(<max-iterations value="40"/>
<relative-convergence-measure data="Pressure" mesh="Fluid-Mesh" limit="1e-5"/>
<relative-convergence-measure data="Area" mesh="Solid-Mesh" limit="1e-5"/>
<acceleration:IQN-ILS>
  <data name="Area" mesh="Solid-Mesh"/><initial-relaxation value="0.01"/>
  <max-used-iterations value="50"/><time-windows-reused value="8"/><filter type="QR2" limit="1e-3"/>
</acceleration:IQN-ILS>)"}},
      {{.from = "Fluid", .to = "Solid", .data = "Pressure", .substeps = true},
       {.from = "Solid", .to = "Fluid", .data = "Area", .initialize = true, .substeps = true}}};
  scenario.inside["Fluid"] =
      "<watch-point mesh=\"Fluid-Mesh\" name=\"outlet\" coordinate=\"10; 0\"/>";
  return scenario.xml();
}

std::vector<double> places() {
  std::vector<double> result;
  for (int i = 0; i <= last; ++i) {
    result.insert(result.end(), {i * spacing, 0.0});
  }
  return result;
}

/// Velocities and pressures u0 p0 u1 p1 …, and cross sections.
struct Flow {
  VectorXd x = VectorXd::Zero(2 * (last + 1));
  std::vector<double> a = std::vector<double>(last + 1, 1.0);

  [[nodiscard]] double u(int i) const { return x[2 * i]; }
  [[nodiscard]] double p(int i) const { return x[2 * i + 1]; }
};

/// What mass and momentum lack around every point after an implicit Euler step; at the inlet the
/// velocity is given and the pressure extrapolated, at the outlet waves leave.
VectorXd residual(const Flow& now, const Flow& old, double inflow, double dt) {
  VectorXd result(2 * (last + 1));
  for (int i = 1; i < last; ++i) {
    const double a_left = (now.a[i - 1] + now.a[i]) / 2;
    const double a_right = (now.a[i] + now.a[i + 1]) / 2;
    const double in = a_left * (now.u(i - 1) + now.u(i)) / 2;
    const double out = a_right * (now.u(i) + now.u(i + 1)) / 2;
    result[2 * i] = spacing / dt * (now.a[i] - old.a[i]) + out - in;
    result[2 * i + 1] =
        spacing / dt * (now.u(i) * now.a[i] - old.u(i) * old.a[i]) + out * now.u(i) -
        in * now.u(i - 1) +
        (a_right * (now.p(i + 1) - now.p(i)) + a_left * (now.p(i) - now.p(i - 1))) / 2;
  }
  const double c = std::sqrt(c2 - old.p(last) / 2) - (now.u(last) - old.u(last)) / 4;
  result[0] = now.u(0) - inflow;
  result[1] = now.p(0) - 2 * now.p(1) + now.p(2);
  result[2 * last] = now.u(last) - 2 * now.u(last - 1) + now.u(last - 2);
  result[2 * last + 1] = now.p(last) - 2 * (c2 - c * c);
  return result;
}

/// Derivative of the residual by the unknowns, ten at once: a point sees two neighbours on either
/// side.
Eigen::SparseMatrix<double> jacobian(Flow now, const Flow& old, const VectorXd& at, double inflow,
                                     double dt) {
  constexpr double small = 1e-5;
  std::vector<Eigen::Triplet<double>> entries;
  for (int unknown = 0; unknown < 10; ++unknown) {
    const VectorXd x = now.x;
    for (Eigen::Index k = unknown; k < x.size(); k += 10) {
      now.x[k] += small;
    }
    const VectorXd slope = (residual(now, old, inflow, dt) - at) / small;
    now.x = x;
    for (Eigen::Index k = unknown; k < x.size(); k += 10) {
      const Eigen::Index end = std::min(x.size(), k / 2 * 2 + 6);
      for (Eigen::Index row = std::max<Eigen::Index>(0, k / 2 * 2 - 4); row < end; ++row) {
        entries.emplace_back(static_cast<int>(row), static_cast<int>(k), slope[row]);
      }
    }
  }
  Eigen::SparseMatrix<double> result(now.x.size(), now.x.size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Newton's method from the old flow.
void solve(Flow& now, const Flow& old, double t, double dt) {
  const double inflow = 10 + 3 * std::sin(10 * pi * t);
  now.x = old.x;
  double change = 1;
  for (int step = 0; step < 20 && change > 1e-10; ++step) {
    const VectorXd at = residual(now, old, inflow, dt);
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(jacobian(now, old, at, inflow, dt));
    const VectorXd correction = factors.solve(at);
    now.x -= correction;
    change = correction.norm() / now.x.norm();
  }
  CHECK(change <= 1e-10);
}

void play_fluid(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids(last + 1);
  participant.set_mesh_vertices("Fluid-Mesh", places(), ids);
  participant.initialize();
  Flow old;
  for (int i = 0; i <= last; ++i) {
    old.x[2 * i] = 10;
  }
  std::vector<double> pressure(last + 1);
  for (double t = 0; participant.is_coupling_ongoing();) {
    static_cast<void>(participant.requires_writing_checkpoint());
    const double dt = participant.max_time_step_size();
    Flow now = old;
    participant.read_data("Fluid-Mesh", "Area", ids, dt, now.a);
    solve(now, old, t + dt, dt);
    for (int i = 0; i <= last; ++i) {
      pressure[i] = now.p(i);
    }
    participant.write_data("Fluid-Mesh", "Pressure", ids, pressure);
    participant.advance(dt);
    if (!participant.requires_reading_checkpoint()) {
      t += dt;
      old = now;
      participant.read_data("Fluid-Mesh", "Area", ids, 0, old.a); // of the wall, not of the iterate
    }
  }
}

/// Rings that do not know each other.
void play_solid(const Seat& seat) {
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids(last + 1);
  participant.set_mesh_vertices("Solid-Mesh", places(), ids);
  std::vector<double> pressure(last + 1);
  std::vector<double> area(last + 1, 1.0);
  if (participant.requires_initial_data()) {
    participant.write_data("Solid-Mesh", "Area", ids, area);
  }
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    const double dt = participant.max_time_step_size();
    participant.read_data("Solid-Mesh", "Pressure", ids, dt, pressure);
    std::transform(pressure.begin(), pressure.end(), area.begin(),
                   [](double p) { return std::pow(2 * c2 / (2 * c2 - p), 2); });
    participant.write_data("Solid-Mesh", "Area", ids, area);
    participant.advance(dt);
    static_cast<void>(participant.requires_reading_checkpoint());
  }
}

} // namespace

TEST_CASE("an elastic tube takes the iterations and columns that preCICE logged") {
  const WorkingDirectory directory;
  CHECK(play(configuration(), {{"Fluid", play_fluid}, {"Solid", play_solid}}, in_threads)
            .all_errors() == "");
  // iterations; columns, of which deleted, of which dropped
  const std::array<std::array<int, 4>, windows> recorded{{{20, 18, 1, 0},
                                                          {11, 24, 4, 0},
                                                          {10, 29, 4, 0},
                                                          {8, 32, 4, 0},
                                                          {8, 32, 7, 0},
                                                          {8, 35, 4, 0},
                                                          {8, 37, 5, 0},
                                                          {8, 37, 7, 0},
                                                          {8, 29, 8, 7},
                                                          {8, 31, 5, 0},
                                                          {8, 27, 4, 7},
                                                          {8, 29, 5, 0},
                                                          {9, 28, 7, 2}}};
  const auto iterations = log_rows("precice-Solid-iterations.log");
  REQUIRE(iterations.size() == windows);
  for (std::size_t w = 0; w < windows; ++w) {
    CAPTURE(w);
    const std::vector<double>& row = iterations[w];
    CHECK(row[2] == recorded[w][0]);
    CHECK(row[4] == recorded[w][1]);
    CHECK(row[5] == recorded[w][2]);
    CHECK(row[6] == recorded[w][3]);
  }
  // the first window's residuals of the pressure
  const std::vector<double> residuals{1.0,          1.3193761405, 0.7227121240, 0.6548137301,
                                      0.8874183708, 6.3776455881, 0.4378944883, 3.2541202658,
                                      0.8646091648, 0.1443255554, 0.0155587183, 0.0298117838,
                                      0.0227291358, 0.0028564899, 0.0001913568, 0.0002595559,
                                      0.0002013149, 0.0000829409, 0.0000171075, 0.0000045774};
  const auto convergence = log_rows("precice-Solid-convergence.log");
  REQUIRE(convergence.size() >= residuals.size());
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    CAPTURE(i);
    CHECK(convergence[i][2] == doctest::Approx(residuals[i]).epsilon(1e-4));
  }
  // the end of the tube: cross section and pressure after 1, 5, 10 and 13 windows
  const std::vector<std::array<double, 3>> outlet{{1, 1.0000006951, 0.0061600442},
                                                  {5, 1.0005460067, 4.8368778448},
                                                  {10, 1.0113854738, 100.0476232406},
                                                  {13, 1.0204685808, 178.6600172851}};
  const auto watched =
      log_rows("precice-Fluid-watchpoint-outlet.log"); // from time 0, pressure first
  REQUIRE(watched.size() == windows + 1);
  for (const auto& [window, area, pressure] : outlet) {
    CAPTURE(window);
    CHECK(watched[static_cast<std::size_t>(window)][4] == doctest::Approx(area).epsilon(1e-6));
    CHECK(watched[static_cast<std::size_t>(window)][3] == doctest::Approx(pressure).epsilon(1e-4));
  }
}
