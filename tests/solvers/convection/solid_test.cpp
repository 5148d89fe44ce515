// SPDX-License-Identifier: BSD-3-Clause
#include "boxes.hpp"
#include "cases.hpp"
#include "convection/program/equations.hpp"
#include "convection/program/run.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// A column that is warm below and cold above, insulated at its sides.
const std::string column = R"([mesh]
box = [1, 1, 1.25]
cells = [2, 3, 10]
[fluid]
rayleigh = 100
prandtl = 1
[time]
step = 10
steps = 40
[solver]
residual = 1e-8
heat-residual = 1e-10
[[boundary]]
group = "z-min"
temperature = 1
[[boundary]]
group = "z-max"
temperature = 0
[[boundary]]
group = "x-min"
[[boundary]]
group = "x-max"
[[boundary]]
group = "y-min"
[[boundary]]
group = "y-max"
)";

/// A channel along x, open at its end, whose sides do not hold the flow along it.
const std::string channel = R"([mesh]
box = [2, 0.5, 1]
cells = [8, 3, 4]
[fluid]
viscosity = 0.1
[time]
step = 0.05
[solver]
residual = 1e-11
[[boundary]]
group = "x-min"
[[boundary]]
group = "x-max"
kind = "open"
[[boundary]]
group = "y-min"
kind = "slip-y"
[[boundary]]
group = "y-max"
kind = "slip-y"
[[boundary]]
group = "z-min"
kind = "slip-z"
[[boundary]]
group = "z-max"
kind = "slip-z"
)";

/// Collective. The force on a group, by components.
std::array<double, 3> force_on(const comm::Comm& comm, Equations& equations, const State& state,
                               const char* group) {
  const std::span<const double> force = equations.force(state);
  std::array<double, 3> result{};
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> inside(force.size(), 0);
    for (const LocalIndex node : equations.mesh().group(group).nodes) {
      inside[3 * static_cast<std::size_t>(node) + c] = 1;
    }
    result[c] = exchange::owned_dot(comm, equations.mesh().plan, 3, force, inside);
  }
  return result;
}

void set_velocity(const Mesh& mesh, const char* group, double along_x, State& state) {
  for (const LocalIndex node : mesh.group(group).nodes) {
    state.values[4 * static_cast<std::size_t>(node)] = along_x;
  }
}

} // namespace

TEST_CASE("a solid below a fluid at rest conducts as the lower of two layers") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const RunResult result =
      run(comm, case_of(column + "[solid]\nbelow = 0.25\nconductivity = 2\n"), "", nullptr);
  CHECK(result.is_steady);
  const double exact = 1 / (1 + 0.25 / 2);
  CHECK(result.heat[0] == doctest::Approx(exact).epsilon(1e-4));
  CHECK(result.heat[1] == doctest::Approx(-exact).epsilon(1e-4));
}

TEST_CASE("a solid with twice the capacity and conductivity changes as the fluid at rest") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::string still = with(with(column, "step = 10", "step = 0.05"), "steps = 40", "steps = 3");
  still = with(still, "rayleigh = 100", "rayleigh = 0");
  const RunResult fluid = run(comm, case_of(still), "", nullptr);
  const RunResult solid =
      run(comm, case_of(still + "[solid]\nbelow = 1.25\nconductivity = 2\ncapacity = 2\n"), "",
          nullptr);
  CHECK(fluid.heat[0] > 1.2 / 1.25); // not yet steady
  CHECK(solid.heat[0] == doctest::Approx(2 * fluid.heat[0]).epsilon(1e-8));
  for (std::size_t n = 0; n < fluid.temperature.size(); ++n) {
    CHECK(solid.temperature[n] == doctest::Approx(fluid.temperature[n]).epsilon(1e-8));
  }
}

TEST_CASE("solids that cannot be are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto refusal = [&comm](const std::string& text) {
    return message_of([&] { static_cast<void>(run(comm, case_of(text), "", nullptr)); });
  };
  CHECK(refusal(column + "[solid]\nbelow = 0.3\n").find("through the upper side of the solid") !=
        std::string::npos);
  CHECK(refusal(column + "[solid]\nconductivity = 2\n").find("[solid] needs \"below\"") !=
        std::string::npos);
}

TEST_CASE("a wall that slides feels the shear of the flow between it and another") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::string text = with(channel, "group = \"x-min\"\n", "group = \"x-min\"\nkind = \"open\"\n");
  text = with(text, "group = \"z-min\"\nkind = \"slip-z\"", "group = \"z-min\"");
  text = with(text, "group = \"z-max\"\nkind = \"slip-z\"", "group = \"z-max\"");
  text = with(with(text, "step = 0.05", "step = 1000"), "residual = 1e-11", "residual = 1e-9");
  const Case from = case_of(text);
  Equations equations(comm, from);
  State state = equations.start();
  for (int n = 0; n < 3; ++n) {
    equations.begin(state, from.time.step);
    set_velocity(equations.mesh(), "z-max", 0.4, state);
    static_cast<void>(equations.solve(state));
    equations.end(state);
  }
  const double exact = 0.1 * 0.4 / 1 * (2 * 0.5); // viscosity, slope, area
  CHECK(force_on(comm, equations, state, "z-max")[0] == doctest::Approx(-exact).epsilon(1e-3));
  CHECK(force_on(comm, equations, state, "z-min")[0] == doctest::Approx(exact).epsilon(1e-3));
}

TEST_CASE("a piston feels the mass of the fluid that it accelerates") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(channel);
  Equations equations(comm, from);
  State state = equations.start();
  constexpr double acceleration = 3;
  for (int n = 1; n <= 4; ++n) {
    equations.begin(state, from.time.step);
    set_velocity(equations.mesh(), "x-min", acceleration * 0.05 * n, state);
    static_cast<void>(equations.solve(state));
    equations.end(state);
    const double mass = 2 * 0.5 * 1;
    CHECK(force_on(comm, equations, state, "x-min")[0] ==
          doctest::Approx(-mass * acceleration).epsilon(1e-6));
  }
}

TEST_CASE("edges inside are worked on beside sums, after them, or in turn, with the same bits") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(cavity, "steps = 30", "steps = 2"));
  from.mesh.sums = exchange::SumStrategy::two_stage;
  const RunResult beside = run(comm, from, "", nullptr);
  CHECK(beside.exchange.alone.empty());
  for (const ProductOverlap overlap : {ProductOverlap::never, ProductOverlap::alternating}) {
    from.solver.overlap = overlap;
    const RunResult other = run(comm, from, "", nullptr);
    CHECK(other.heat == beside.heat);
    CHECK(other.values == beside.values);
    const bool is_measured = overlap == ProductOverlap::alternating;
    CHECK(other.exchange.alone.empty() == !is_measured);
    CHECK(other.exchange.beside.empty() == !is_measured);
    CHECK(other.exchange.messages == beside.exchange.messages);
    CHECK((other.exchange.messages > 0) == (comm.size() > 1));
    CHECK((other.exchange.bytes > 0) == (comm.size() > 1));
  }
}

TEST_CASE("what enters a box that is not symmetric leaves it") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::string text = with(cavity, "rayleigh = 1000", "rayleigh = 20000");
  text = with(with(text, "temperature = 0.5", "temperature = 3"), "-0.5", "2");
  text = with(text, "step = 0.1\nsteps = 30", "step = 0.05\nsteps = 200\nsteady = 1e-9");
  text = with(text, "[fluid]", "[solver]\nresidual = 1e-6\nheat-residual = 1e-8\n[fluid]");
  const RunResult result =
      run(comm, case_of(text + "[solid]\nbelow = 0.3\nconductivity = 5\n"), "", nullptr);
  CHECK(result.heat[0] > 0.1 * (5 * 0.3 + 0.7) + 0.01); // the flow carries some of it
  CHECK(result.heat[0] + result.heat[1] == doctest::Approx(0).epsilon(1e-7));
}
