// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/tension.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "particles/fluid/operators.hpp"
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

/// Layers around a middle, a spacing of 1 apart, of which the outermost has this radius.
State drop(int dimensions, double radius) {
  State state;
  GlobalIndex id = 0;
  for (double r = radius; r > 0.2; r -= 1) {
    const double area = dimensions == 2 ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r;
    const int count = 2 * std::max(1, static_cast<int>(std::lround(area / 2)));
    for (int n = 0; n < count; ++n) { // on a circle, or on a spiral
      const double turn = dimensions == 2 ? 2 * std::numbers::pi * (n + 0.5) / count
                                          : std::numbers::pi * (3 - std::sqrt(5)) * n;
      const double z = dimensions == 2 ? 0 : 1 - (2 * n + 1.0) / count;
      const double across = r * std::sqrt(1 - z * z);
      state.particles().insert(id++, {across * std::cos(turn), across * std::sin(turn), r * z});
    }
  }
  return state;
}

/// With the surface found as the solver does.
std::vector<double> curvature_of(State& state, int dimensions, std::vector<Plane> planes = {}) {
  const Kernel kernel(dimensions, 1, dimensions == 2 ? 3.1 : 2.1);
  Neighbours neighbours(true, std::move(planes));
  neighbours.find(kernel, state);
  const auto density = relative_density(kernel, neighbours, state.num_owned());
  const auto surface = find_surface(kernel, neighbours, state, density);
  for (std::size_t row = 0; row < surface.size(); ++row) {
    state.rows()[row] = surface[row] != 0 ? at_surface : static_cast<double>(row);
  }
  return smooth_curvature(kernel, neighbours, state, surface_curvature(kernel, neighbours, state));
}

} // namespace

TEST_CASE("the curvature of a round drop is that of its radius, and 0 inside") {
  for (const int dimensions : {2, 3}) {
    const double radius = dimensions == 2 ? 10 : 7;
    State state = drop(dimensions, radius);
    const std::vector<double> found = curvature_of(state, dimensions);
    const double exact = (dimensions - 1) / (radius + 0.5); // half a spacing above the outermost
    double sum = 0, num_surface = 0;
    for (std::size_t row = 0; row < found.size(); ++row) {
      const exchange::Position& at = state.positions()[row];
      if (std::hypot(at[0], at[1], at[2]) < radius - 0.5) {
        CHECK(found[row] == 0);
      } else {
        CHECK(found[row] == doctest::Approx(exact).epsilon(dimensions == 2 ? 0.02 : 0.15));
        sum += found[row];
        num_surface += 1;
      }
    }
    CHECK(sum / num_surface == doctest::Approx(exact).epsilon(0.02));
  }
}

TEST_CASE("half a drop on a plane curves as the whole one, and a flat surface does not") {
  State whole = drop(2, 10), half;
  for (std::size_t row = 0; row < whole.num_owned(); ++row) {
    if (whole.positions()[row][1] > 1e-9) {
      half.particles().insert(whole.particles().ids()[row], whole.positions()[row]);
    }
  }
  const std::vector<double> all = curvature_of(whole, 2);
  const std::vector<double> found = curvature_of(half, 2, {Plane{1, 0, 1}});
  std::size_t own = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (whole.positions()[row][1] > 1e-9) {
      CHECK(found[own++] == doctest::Approx(all[row]).epsilon(0.02));
    }
  }
  State flat;
  for (GlobalIndex id = 0; id < 200; ++id) {
    flat.particles().insert(
        id, {static_cast<double>(id / 10) + 0.5, static_cast<double>(id % 10) + 0.5, 0});
  }
  for (const double one : curvature_of(flat, 2, {{0, 0, 1}, {0, 20, -1}, {1, 0, 1}})) {
    CHECK(std::abs(one) < 1e-12);
  }
}

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
