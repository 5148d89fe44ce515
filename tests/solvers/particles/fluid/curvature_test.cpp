// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/operators.hpp"
#include "particles/fluid/tension.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;

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
