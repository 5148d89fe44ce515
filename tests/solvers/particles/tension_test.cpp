// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::with;

namespace {

/// A drop of water without weight, 2 cm across.
const std::string in_the_air = R"([particles]
spacing = 0.001
[liquid]
tension = 0.07
viscosity = 1e-6
[tank]
lower = [0, 0]
upper = [0.04, 0.04]
[[water]]
lower = [0.01, 0.01]
upper = [0.03, 0.03]
round = true
[time]
end = 0.1
)";

/// Mean pressure of the fluid below the surface.
double inner_pressure(const comm::Comm& comm, State& state) {
  std::vector<double> sums(2);
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (state.rows()[row] >= 0) {
      sums[0] += state.pressures()[row];
      sums[1] += 1;
    }
  }
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  return sums[0] / sums[1];
}

} // namespace

TEST_CASE("the pressure in a drop is that of Laplace, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Case from = case_of(with(in_the_air, "viscosity = 1e-6", "viscosity = 1e-4"));
  RunResult result = run(comm, from, nullptr);
  const double radius = std::sqrt(static_cast<double>(result.num_fluid) / std::numbers::pi) * 1e-3;
  CHECK(result.num_lost == 0);
  CHECK(inner_pressure(comm, result.state) == doctest::Approx(0.07 / radius).epsilon(0.1));
}

TEST_CASE("an ellipse lies the other way after half of Rayleigh's period, on any ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  // mode 2 of a cylinder: the square of the frequency is 6 tension / (density radius³)
  const double radius = 0.01,
               half = 3.14159265 * std::sqrt(1000 * std::pow(radius, 3) / (6 * 0.07));
  const Case from = case_of(with(with(in_the_air, "lower = [0.01, 0.01]\nupper = [0.03, 0.03]",
                                      "lower = [0.009, 0.010909]\nupper = [0.031, 0.029091]"),
                                 "end = 0.1", "end = " + std::to_string(half)));
  RunResult result = run(comm, from, nullptr);
  std::vector<double> reach(4, -1);
  for (std::size_t row = 0; row < result.state.num_owned(); ++row) {
    const exchange::Position& at = result.state.positions()[row];
    for (std::size_t d = 0; d < 2; ++d) {
      reach[2 * d] = std::max(reach[2 * d], at[d]);
      reach[2 * d + 1] = std::max(reach[2 * d + 1], -at[d]);
    }
  }
  comm::allreduce(comm, std::span<double>(reach), comm::Op::max);
  const double wide = reach[0] + reach[1], high = reach[2] + reach[3]; // at first 1.21 as wide
  CHECK(result.num_lost == 0);
  CHECK(high / wide == doctest::Approx(1.21).epsilon(0.1));
}

TEST_CASE("surface tension is refused where there is none") {
  CHECK(message_of([] {
          static_cast<void>(case_of(with(in_the_air, "end = 0.1", "method = \"explicit\"")));
        }).find("case.toml:4: the explicit form has no surface tension") == 0);
}
