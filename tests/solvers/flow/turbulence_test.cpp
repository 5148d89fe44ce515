// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "flow/turbulence/snapshot_coupling.hpp"
#include "flow/turbulence/sst.hpp"
#include "flow/turbulence/wall_distance.hpp"
#include "flows.hpp"
#include "message_of.hpp"
#include "text_files.hpp"
#include "turbulent.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <vector>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

std::string refusal(const std::string& text) {
  return message_of([&] { static_cast<void>(read(text, "out")); });
}

/// A motion across the plate.
const std::string swaying = "[motion]\nplunge = 0.05\nreduced-frequency = 0.5\n";

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

} // namespace

TEST_CASE("the SST model has its blending functions, viscosity and sources where they are exact") {
  sst::Point p;
  p.viscosity = 1e-5;
  p.k = 1e-4;
  p.omega = 10;
  p.distance = 1;
  // far from walls: root(k) / (0.09 omega d) = 1/90, 500 nu / (d^2 omega) = 5e-4
  const double ratio = 0.01 / 0.9;
  CHECK(sst::layer_blend(p) == doctest::Approx(std::tanh(4 * ratio * ratio)));
  CHECK(sst::inner_blend(p) == doctest::Approx(std::tanh(std::pow(ratio, 4))));
  CHECK(sst::eddy_viscosity(p) == doctest::Approx(1e-5)); // rho k / omega without shear
  p.cross = 100; // 2 sigma / omega cross = 17.12; 4 sigma k / (17.12 d^2) = 2e-5
  CHECK(sst::cross_diffusion(p) == doctest::Approx(17.12));
  CHECK(sst::inner_blend(p) == doctest::Approx(std::pow(2e-5, 4)));
  p.cross = 0;
  p.distance = 1e-4; // in the layer both are 1, and shear stress is a1 k at most
  p.vorticity = 1e4;
  CHECK(sst::layer_blend(p) == doctest::Approx(1));
  CHECK(sst::inner_blend(p) == doctest::Approx(1));
  CHECK(sst::eddy_viscosity(p) * p.vorticity == doctest::Approx(0.31 * p.k));
  // gamma = 0.075 / 0.09 - 0.5 0.41^2 / 0.3; production at most 20 times 0.09 omega k
  const double gamma = 0.075 / 0.09 - 0.5 * 0.41 * 0.41 / 0.3;
  const sst::Sources found = sst::sources(p, 1, 1);
  CHECK(found.k == doctest::Approx(19 * 0.09 * 10 * 1e-4));
  CHECK(found.omega == doctest::Approx(gamma * 1e8 - 0.075 * 100));
  CHECK(found.k_slope == doctest::Approx(0.9));
  CHECK(found.omega_slope == doctest::Approx(1.5));
  p.vorticity = 2;
  CHECK(sst::sources(p, 0, 1e-6).k == doctest::Approx(4e-6 - 0.09 * 10 * 1e-4));
  CHECK(sst::wall_omega(2, 1e-5, 1e-3) == doctest::Approx(60 * 1e-5 / (2 * 0.075 * 1e-6)));
}

TEST_CASE(
    "distances from walls are those to the nearest of all faces, the same bits on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto distances = [](const comm::Comm& of, std::map<int, std::vector<double>>& found) {
    const Grid grid = cylinder(of, {32, 12, 1}, {4, 2, 1}, 10);
    const auto all = wall_distances(of, grid);
    for (std::size_t own = 0; own < grid.own.size(); ++own) {
      const Block& block = grid.own[own];
      found[block.number] = all[own];
      Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
        const Vector at = block.center(c[0], c[1], c[2]);
        // the polygon's faces lie between its corners, of radius 1/2, and their middles
        const double away = std::hypot(at[0], at[1]);
        const double d = all[own][block.extent.at(c)];
        CHECK(d >= away - 0.5 - 1e-12);
        CHECK(d <= away - 0.5 * std::cos(std::numbers::pi / 32) + 1e-12);
      });
    }
  };
  std::map<int, std::vector<double>> alone;
  std::map<int, std::vector<double>> together;
  distances(comm::Comm(), alone);
  distances(comm, together);
  for (const auto& [block, values] : together) {
    CHECK(std::memcmp(values.data(), alone.at(block).data(), values.size() * sizeof(double)) == 0);
  }
  CHECK(message_of([&] {
          static_cast<void>(wall_distances(comm, periodic_box(comm, 8, 0)));
        }).find("no [[boundary]] is of the kind \"no-slip\"") != std::string::npos);
}

TEST_CASE("turbulence has the same bits on any ranks and cuts, and after a restart") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const std::string dual = "[time]\nkind = \"dual\"\nstep = 0.1\nsteps = ";
  const std::string steady = "[run]\nresidual = 1e-300\nsmallest = 4\ncut = true\niterations = ";
  const std::string harmonic = plate + swaying + "[time]\nkind = \"harmonic\"\nharmonics = 1\n";
  for (const auto& [whole, half] :
       {std::pair{plate + steady + "4\n", plate + steady + "2\n"},
        std::pair{harmonic + steady + "4\n", harmonic + steady + "2\n"},
        std::pair{plate + dual + "4\n" + steady + "3\n", plate + dual + "2\n" + steady + "3\n"}}) {
    run_on(comm, 1, read(whole, folder + "/whole"), "");
    const std::string expected = content(folder + "/whole/flow.blocks");
    REQUIRE(expected.size() > 1000);
    run_on(comm, comm.size(), read(half, folder + "/half"), "");
    run_on(comm, 1, read(half, folder + "/rest"), folder + "/half/flow.blocks");
    CHECK(content(folder + "/rest/flow.blocks") == expected);
    run_on(comm, comm.size(), read(whole, folder + "/cut"), "");
    CHECK(content(folder + "/cut/flow.blocks") == expected);
  }
  comm::barrier(comm);
}

TEST_CASE("snapshots have the derivative of all harmonics, and implicit steps with it are undone") {
  for (const int harmonics : {1, 3, 8}) {
    const double frequency = 0.7;
    const SnapshotCoupling coupling({TimeKind::harmonic, 0, harmonics, frequency});
    const auto n = static_cast<std::size_t>(coupling.num_snapshots());
    REQUIRE(n == 2 * static_cast<std::size_t>(harmonics) + 1);
    std::vector<double> values(n, 2.0);
    std::vector<double> exact(n, 0.0);
    for (int k = 1; k <= harmonics; ++k) {
      for (std::size_t s = 0; s < n; ++s) {
        const double angle =
            2 * std::numbers::pi * k * static_cast<double>(s) / static_cast<double>(n) + 0.4 * k;
        values[s] += std::sin(angle);
        exact[s] += k * frequency * std::cos(angle);
      }
    }
    std::vector<double> found(n);
    coupling.derive(values, found);
    for (std::size_t s = 0; s < n; ++s) {
      CHECK(found[s] == doctest::Approx(exact[s]).epsilon(1e-11));
    }
    for (const double step : {0.0, 0.1, 3.0, 1e4}) {
      std::vector<double> steps(n);
      std::vector<double> changes(n);
      for (std::size_t s = 0; s < n; ++s) {
        steps[s] = step * (s % 3 == 1 ? 1e-3 : 1 + static_cast<double>(s)); // each has its own
        changes[s] = values[s] + steps[s] * exact[s];
      }
      coupling.solve(steps, changes);
      for (std::size_t s = 0; s < n; ++s) {
        CHECK(changes[s] == doctest::Approx(values[s]).epsilon(1e-9));
      }
    }
  }
  const SnapshotCoupling alone(TimeSettings{});
  std::vector<double> value{3};
  std::vector<double> derivative(1);
  alone.derive(value, derivative);
  alone.solve(std::vector{5.0}, value);
  CHECK((derivative[0] == 0 && value[0] == 3));
}

TEST_CASE("snapshots of a turbulent flow that does not move are the steady flow") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const std::string iterations = "[run]\nresidual = 1e-300\niterations = 30\n";
  const std::string still =
      "[motion]\nreduced-frequency = 0.5\n[time]\nkind = \"harmonic\"\n"
      "harmonics = 2\n";
  const RunResult steady = run(comm, read(plate + iterations, folder + "/steady"), "", nullptr);
  const RunResult found =
      run(comm, read(plate + still + iterations, folder + "/still"), "", nullptr);
  REQUIRE(steady.loads.size() == 1);
  REQUIRE(found.loads.size() == 5);
  CHECK(found.residual == doctest::Approx(steady.residual).epsilon(1e-6));
  for (const LoadRow& row : found.loads) {
    CHECK(row.drag == doctest::Approx(steady.loads.front().drag).epsilon(1e-9));
  }
  comm::barrier(comm);
}

TEST_CASE("turbulence in snapshots of a period is that of the run in time") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Grid grid = cylinder(comm, {24, 10, 1}, {2, 1, 1}, 10);
  constexpr double frequency = 0.2;
  constexpr int steps = 64; // of a period
  const double length = 2 * std::numbers::pi / frequency;
  const auto attitude = [](double time) { return Attitude{0.3 * std::sin(frequency * time)}; };

  Turbulent in_time(comm, grid, {TimeKind::dual, length / steps, 0, 0});
  in_time.advance(3 * steps, std::getenv("I") ? atoi(std::getenv("I")) : 20, attitude);
  Turbulent periodic(comm, grid, {TimeKind::harmonic, 0, 2, frequency});
  periodic.stand(attitude);
  periodic.iterate(500);
  for (std::size_t v = 0; v < num_turbulent; ++v) {
    CHECK(periodic.off(comm, in_time, v) < 0.1); // 0.04 and 0.04 with 8 harmonics
  }
}

TEST_CASE("diffusion along skewed faces takes k down, but not to 0, from which no run goes on") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Grid grid = section_in_two_blocks(comm);
  const Stream stream{0.3, 1.5e-3, {1e-4, 1e-4 / 1.5e-3}, 1};
  Turbulent steady(comm, grid, {}, stream);
  steady.solution.set_attitudes({Attitude{0.35}});
  steady.iterate(900);
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    CHECK(steady.turbulence.is_positive(own));
  }
  const double least = steady.least_and_most(comm, 0).first;
  CHECK((least >= 0.99e-19 && least < 1e-18)); // is taken down here
}

TEST_CASE("turbulence around a section that pitches stays within bounds in snapshots") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Grid grid = section_in_two_blocks(comm);
  const Stream stream{0.3, 3e-4, {1e-5, 1e-5 / 3e-5}, 1}; // omega falls by 7 on its way
  Motion motion;
  motion.amplitude = 20 * std::numbers::pi / 180;
  motion.frequency = 0.12;
  const auto attitude = [&motion](double time) { return motion.at(time); };
  constexpr int steps = 32; // of a period
  const double step = 2 * std::numbers::pi / motion.frequency / steps;

  Turbulent in_time(comm, grid, {TimeKind::dual, step, 0, 0}, stream);
  in_time.advance(3 * steps, 20, attitude);
  Turbulent periodic(comm, grid, {TimeKind::harmonic, 0, 1, motion.frequency}, stream);
  periodic.stand(attitude);
  periodic.iterate(600);
  CHECK(periodic.ratio_off(comm, in_time, 0) < 0.2);
  CHECK(periodic.ratio_off(comm, in_time, 1) < 0.15);
  const auto [least, most] = periodic.least_and_most(comm, 1);
  const auto [least_in_time, most_in_time] = in_time.least_and_most(comm, 1);
  CHECK(least > 0.5 * least_in_time); // harmonics of omega itself would pass below 0
  CHECK(most < 1.1 * most_in_time);
}

TEST_CASE("turbulence refuses what it cannot have, with file and line") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  CHECK(refusal(replaced(plate, "reynolds = 1e5\n", "")).find("turbulence needs viscosity") !=
        std::string::npos);
  CHECK(refusal(replaced(plate, "\"sst\"", "\"sa\"")).find("case.toml:") != std::string::npos);
  CHECK(refusal(replaced(plate, "intensity = 0.05", "intensity = -1")).find("case.toml:") !=
        std::string::npos);
  CHECK(refusal(replaced(plate, "levels = 2\n", "") +
                "[time]\nkind = \"explicit\"\nstep = 0.1\nsteps = 1\n")
            .find("\"steady\", \"dual\" and \"harmonic\"") != std::string::npos);
  const std::string folder = folder_of_root(comm);
  const std::string short_run = "[run]\niterations = 1\n";
  const std::string laminar =
      replaced(plate, "[turbulence]\nmodel = \"sst\"\nintensity = 0.05\nviscosity-ratio = 1\n", "");
  run_on(comm, comm.size(), read(laminar + short_run, folder + "/laminar"), "");
  run_on(comm, comm.size(), read(plate + short_run, folder + "/turbulent"), "");
  const auto restarted = [&](const std::string& text, const std::string& file) {
    const Case from = read(text + short_run, folder + "/out");
    return message_of([&] { static_cast<void>(run(comm, from, folder + file, nullptr)); });
  };
  CHECK(restarted(plate, "/laminar/flow.blocks").find("a flow without k and omega") !=
        std::string::npos);
  CHECK(restarted(laminar, "/turbulent/flow.blocks").find("give the case its [turbulence]") !=
        std::string::npos);
  comm::barrier(comm);
}
