// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "convection/program/equations.hpp"
#include "convection/program/run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// A quarter of the box 4:1:1 that is warm below, between mirrors at x = 2 and y = 1/2: two of its
/// four rolls, which are not the same upside down, begin as a wave.
const std::string box = R"([mesh]
box = [2, 0.5, 1]
cells = [12, 3, 6]
[fluid]
rayleigh = 30000
prandtl = 0.71
[start]
temperature = 0.5
gradient = [0, 0, -1]
swell = 0.1
wave = [3.141592653589793, 0, 0]
[time]
step = 0.05
steps = 300
steady = 1e-8
[[boundary]]
group = "z-min"
temperature = 0.5
[[boundary]]
group = "z-max"
temperature = -0.5
[[boundary]]
group = "x-min"
[[boundary]]
group = "x-max"
kind = "slip-x"
[[boundary]]
group = "y-min"
[[boundary]]
group = "y-max"
kind = "slip-y"
)";

} // namespace

TEST_CASE("heat that rolls take from the floor is what the ceiling gets, to 1e-6") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const RunResult result = run(comm, case_of(box), "", nullptr);
  CHECK(result.is_steady);
  const double floor = result.heat[0]; // by the area, which is 1
  const double ceiling = -result.heat[1];
  INFO("Nusselt numbers ", floor, " and ", ceiling, " after ", result.steps, " steps");
  CHECK(floor > 2.5); // they turn
  CHECK(std::abs(floor / ceiling - 1) < 1e-6);
}

TEST_CASE("a flow begins with a wave of its temperature, and what is held stays") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(with(box, "[12, 3, 6]", "[6, 2, 4]"));
  Equations equations(comm, from);
  const State state = equations.start();
  const std::vector<double>& coords = equations.mesh().tets.coords;
  for (std::size_t n = 0; n < state.temperature.size(); ++n) {
    const double x = coords[3 * n];
    const double z = coords[3 * n + 2];
    const bool is_held = z == 0 || z == 1;
    const double wave = is_held ? 0 : 0.1 * std::cos(std::numbers::pi * x);
    CHECK(state.temperature[n] == doctest::Approx(0.5 - z + wave));
  }
}

TEST_CASE("noise is the same on any ranks, of its size, and another for each seed") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const comm::Comm alone;
  Case from = case_of(with(with(box, "[12, 3, 6]", "[6, 2, 4]"), "swell = 0.1", "noise = 0.1"));
  Equations equations(comm, from);
  const std::vector<double> here = equations.start().temperature;
  const std::vector<double> whole = Equations(alone, from).start().temperature;
  from.start.seed = 1;
  const std::vector<double> other = Equations(comm, from).start().temperature;
  std::size_t free = 0;
  double different = 0;
  for (std::size_t n = 0; n < here.size(); ++n) {
    const double z = equations.mesh().tets.coords[3 * n + 2];
    CHECK(here[n] == whole[static_cast<std::size_t>(equations.mesh().tets.node_ids[n])]);
    CHECK(std::abs(here[n] - (0.5 - z)) <= 0.1);
    free += z == 0 || z == 1 ? 0 : 1;
    different += std::abs(other[n] - here[n]) > 1e-3 ? 1 : 0;
  }
  CHECK(different > 0.9 * static_cast<double>(free));
}

TEST_CASE("corrections lead flow and heat of a step to one solution") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(box, "[12, 3, 6]", "[6, 2, 4]"));
  from.time.step = 0.002;
  from.time.steps = 2;
  from.solver.newton = {1e-8, 1e-11, 20, 1e-4};
  from.solver.heat_tolerance = 1e-11;
  const auto with_corrections = [&](int corrections) {
    from.time.corrections = corrections;
    return run(comm, from, "", nullptr).heat[0];
  };
  const double few = std::abs(with_corrections(2) - with_corrections(1));
  const double many = std::abs(with_corrections(6) - with_corrections(5));
  INFO("changes ", few, " and ", many);
  CHECK(few > 1e-6);
  CHECK(many < 0.01 * few);
}
