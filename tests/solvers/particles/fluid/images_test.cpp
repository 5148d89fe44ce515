// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/operators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;

namespace {

/// Between -0.5 and 0.5, the same for the same numbers.
double jitter(int n, int salt) {
  const double x = std::sin(12.9898 * n + 78.233 * salt) * 43758.5453;
  return x - std::floor(x) - 0.5;
}

/// Fluid before planes at 0, off its lattice; with its mirror images as particles of their own, or
/// without.
State corner(int dimensions, bool has_images) {
  State state;
  constexpr int across = 6;
  const int depth = dimensions == 3 ? across : 1, images = has_images ? 1 << dimensions : 1;
  for (int n = 0; n < across * across * depth; ++n) {
    const std::array<int, 3> place{n % across, n / across % across, n / across / across};
    for (int image = 0; image < images; ++image) {
      exchange::Position at{};
      Vector velocity{};
      for (int d = 0; d < dimensions; ++d) {
        const auto k = static_cast<std::size_t>(d);
        const double sign = (image >> d & 1) != 0 ? -1 : 1;
        at[k] = sign * (place[k] + 0.5 + 0.4 * jitter(n, d));
        velocity[k] = sign * jitter(n, 3 + d);
      }
      const auto row = static_cast<std::size_t>(state.particles().insert(n + 1000 * image, at));
      std::copy(velocity.begin(), velocity.end(), state.velocities().data() + 3 * row);
    }
  }
  return state;
}

} // namespace

TEST_CASE("images behind planes, their edges and corners act as mirrored particles do") {
  for (const int dimensions : {2, 3}) {
    const Kernel kernel(dimensions, 1, 2.1);
    std::vector<Plane> planes;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      planes.push_back({d, 0, 1});
    }
    State state = corner(dimensions, false), mirrored = corner(dimensions, true);
    Neighbours neighbours(true, planes), of_mirrored;
    neighbours.find(kernel, state);
    of_mirrored.find(kernel, mirrored);
    const auto density = relative_density(kernel, neighbours, state.num_owned());
    const auto expected = relative_density(kernel, of_mirrored, mirrored.num_owned());
    const auto surface = find_surface(kernel, neighbours, state, density);
    const auto of_surface = find_surface(kernel, of_mirrored, mirrored, expected);
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      const std::size_t other = row << dimensions; // inserted with its images
      CHECK(neighbours.of(row).size() == of_mirrored.of(other).size());
      CHECK(density[row] == doctest::Approx(expected[other]).epsilon(1e-13));
      CHECK(surface[row] == of_surface[other]);
      CHECK(divergence(kernel, neighbours.of(row), state, row) ==
            doctest::Approx(divergence(kernel, of_mirrored.of(other), mirrored, other))
                .epsilon(1e-12));
    }
    add_viscosity(kernel, neighbours, 0.1, true, state);
    add_viscosity(kernel, of_mirrored, 0.1, true, mirrored);
    for (std::size_t k = 0; k < 3 * state.num_owned(); ++k) {
      const std::size_t other = 3 * ((k / 3) << dimensions) + k % 3;
      CHECK(state.velocities()[k] == doctest::Approx(mirrored.velocities()[other]).epsilon(1e-12));
    }
  }
}

TEST_CASE("a flow between planes on which it sticks, linear as it must be, has no friction") {
  State state;
  for (int n = 0; n < 200; ++n) {
    const double x = n % 20, y = n / 20 + 0.5; // NOLINT(bugprone-integer-division)
    const auto row = static_cast<std::size_t>(state.particles().insert(n, {x, y, 0}));
    state.velocities()[3 * row] = y;
  }
  const Kernel kernel(2, 1, 3.1);
  Neighbours neighbours(true, {{1, 0, 1}});
  neighbours.find(kernel, state);
  for (const bool slips : {false, true}) {
    State now = state;
    add_viscosity(kernel, neighbours, 0.1, slips, now);
    for (std::size_t row = 0; row < 20; ++row) { // the lowest
      const double drag = now.velocities()[3 * row] - 0.5;
      const bool is_inside = row >= 4 && row < 16;
      if (is_inside) {
        CHECK((slips ? drag > 0.01 : std::abs(drag) < 1e-14));
      }
    }
  }
}

TEST_CASE("fluid that slides along a wall as a whole is not compressed, at its ends neither") {
  const Kernel kernel(2, 1, 3.1);
  for (const bool has_plane : {true, false}) {
    State state;
    int id = 0;
    for (int i = 0; i < 40; ++i) {
      for (int j = has_plane ? 0 : -4; j < 5; ++j, ++id) {
        if (j >= 0 && (i < 10 || i >= 30)) {
          continue;
        }
        const double off = j >= 0 ? 0.3 : 0; // the block is between places of the wall
        const auto row =
            static_cast<std::size_t>(state.particles().insert(id, {i + off, j + 0.5, 0}));
        state.kinds()[row] = j >= 0 ? Kind::fluid : j == -1 ? Kind::wall : Kind::dummy;
        state.velocities()[3 * row] = j >= 0 ? 1 : 0;
      }
    }
    Neighbours neighbours(true, has_plane ? std::vector<Plane>{{1, 0, 1}} : std::vector<Plane>{});
    neighbours.find(kernel, state);
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      if (state.kinds()[row] == Kind::dummy || neighbours.of(row).empty()) {
        continue;
      }
      const double found = divergence(kernel, neighbours.of(row), state, row);
      CHECK(std::abs(found) < (has_plane ? 1e-14 : 0.01)); // of a wall's particles the normal is
    }                                                      // found from places
  }
}
