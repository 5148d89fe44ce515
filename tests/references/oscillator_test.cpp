// SPDX-License-Identifier: BSD-3-Clause
// Two masses between three springs, by Newmark's method, beside what preCICE logged of it: its own
// logs and the motion lie in its tutorials, commit 33bd31c, oscillator/python.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "references/log_rows.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int windows = 100;
const double pi = std::acos(-1.0);
const double outer = 4 * pi * pi; // stiffness of the springs to the walls
const double middle = 16 * pi * pi;

std::string configuration() {
  const Scenario scenario{{{.first = "Mass-Left",
                            .second = "Mass-Right",
                            .kind = "serial-implicit",
                            .window = 0.01,
                            .max_time = 1,
                            .control = R"(<max-iterations value="200"/>
<relative-convergence-measure data="Left" mesh="Mass-Left-Mesh" limit="1e-10"/>
<relative-convergence-measure data="Right" mesh="Mass-Left-Mesh" limit="1e-10"/>)"}},
                          {{.from = "Mass-Left",
                            .to = "Mass-Right",
                            .data = "Left",
                            .initialize = true,
                            .substeps = true},
                           {.from = "Mass-Right",
                            .to = "Mass-Left",
                            .data = "Right",
                            .mapping = {.direction = "write"},
                            .initialize = true,
                            .substeps = true}}};
  return scenario.xml();
}

struct Motion {
  double place = 0;
  double velocity = 0;
  double acceleration = 0;
};

/// A step of the trapezoidal rule (β = 1/4, γ = 1/2) of a mass of 1; `other` is where the other
/// mass is at its end.
Motion step(const Motion& old, double other, double dt) {
  const double inertia = 4 / (dt * dt);
  Motion now;
  now.place = (middle * other + inertia * old.place + 4 / dt * old.velocity + old.acceleration) /
              (outer + middle + inertia);
  now.acceleration = inertia * (now.place - old.place - dt * old.velocity) - old.acceleration;
  now.velocity = old.velocity + dt / 2 * (old.acceleration + now.acceleration);
  return now;
}

void play_mass(const Seat& seat) {
  const bool is_left = seat.participant == "Mass-Left";
  const std::string mesh = seat.participant + "-Mesh";
  const std::string mine = is_left ? "Left" : "Right";
  const std::string theirs = is_left ? "Right" : "Left";
  isthmus::Participant participant = seat.make();
  std::vector<isthmus::VertexId> ids(1);
  participant.set_mesh_vertices(mesh, std::vector<double>{0, 0}, ids);
  Motion old;
  old.place = is_left ? 1 : 0;
  old.acceleration = is_left ? -(outer + middle) : middle;
  std::vector<double> value{old.place};
  if (participant.requires_initial_data()) {
    participant.write_data(mesh, mine, ids, value);
  }
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing();) {
    static_cast<void>(participant.requires_writing_checkpoint());
    const double dt = participant.max_time_step_size();
    participant.read_data(mesh, theirs, ids, dt, value);
    const Motion now = step(old, value[0], dt);
    value[0] = now.place;
    participant.write_data(mesh, mine, ids, value);
    participant.advance(dt);
    if (!participant.requires_reading_checkpoint()) {
      old = now;
      seat.put(mine, ++window, {now.place, now.velocity});
    }
  }
}

} // namespace

TEST_CASE("an oscillator takes the iterations, residuals and motion that preCICE logged") {
  const WorkingDirectory directory;
  const Outcome outcome =
      play(configuration(), {{"Mass-Left", play_mass}, {"Mass-Right", play_mass}}, in_threads);
  CHECK(outcome.all_errors() == "");
  const auto iterations = log_rows("precice-Mass-Right-iterations.log");
  REQUIRE(iterations.size() == windows);
  for (const std::vector<double>& row : iterations) {
    CAPTURE(row[0]);
    CHECK(row[2] == 4);
  }
  // window; residuals of Left and Right in iterations 1, 2 and 3; in the fourth they are rounding
  const std::vector<std::array<double, 7>> recorded{
      {1, 1, 1, 3.10176355e-05, 1.54325253e-05, 4.78687840e-10, 2.38166399e-10},
      {2, 3.03292333e-02, 7.47525281e-01, 9.46146326e-05, 1.15362478e-05, 1.46016526e-09,
       1.78036326e-10},
      {13, 2.18847667e+00, 6.15036158e-02, 4.31908419e-03, 9.49169854e-07, 6.66554091e-08,
       1.46482151e-11},
      {25, 1.00774767e+01, 1.73166264e+01, 7.33060436e-02, 2.67314838e-04, 1.13131355e-06,
       4.12540651e-09},
      {50, 1.24548551e-02, 5.38956991e+01, 4.07664955e-05, 8.32451977e-04, 6.29139741e-10,
       1.28470362e-08},
      {75, 3.17536175e+00, 5.75997097e+00, 2.43796402e-02, 8.89001722e-05, 3.76245079e-07,
       1.37197540e-09}};
  const auto convergence = log_rows("precice-Mass-Right-convergence.log");
  REQUIRE(convergence.size() == 4 * windows);
  for (const auto& row : recorded) {
    CAPTURE(row[0]);
    for (std::size_t iteration = 0; iteration < 3; ++iteration) {
      CAPTURE(iteration);
      const auto& logged = convergence[4 * static_cast<std::size_t>(row[0] - 1) + iteration];
      CHECK(logged[2] == doctest::Approx(row[1 + 2 * iteration]).epsilon(1e-5));
      CHECK(logged[3] == doctest::Approx(row[2 + 2 * iteration]).epsilon(1e-5));
    }
  }
  // window; place and velocity of the left mass
  const std::vector<std::array<double, 3>> motion{{1, 0.9902095754110091, -1.9580849177981865},
                                                  {10, 0.2527030023514987, -10.825583506071634},
                                                  {25, -0.0066810096410418705, 6.282278018196148},
                                                  {50, -0.9998071209249297, -0.2648231265601102},
                                                  {75, 0.02003768286384784, -6.27502075535837},
                                                  {100, 0.9992286320980942, 0.5294447169959855}};
  for (const auto& [window, place, velocity] : motion) {
    CAPTURE(window);
    const auto found = outcome.table.at("Left").find(static_cast<int>(window));
    REQUIRE(found != outcome.table.at("Left").end());
    CHECK(std::abs(found->second[0] - place) < 1e-11);
    CHECK(std::abs(found->second[1] - velocity) < 1e-9);
  }
}
