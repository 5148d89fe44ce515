// SPDX-License-Identifier: BSD-3-Clause
#include "message_of.hpp"
#include "particles/fluid/operators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace isthmus;
using namespace isthmus::mps;

namespace {

/// Between 0 and 1, the same for the same numbers.
double noise(int n, int salt) {
  const double x = std::sin(12.9898 * n + 78.233 * salt) * 43758.5453;
  return x - std::floor(x);
}

/// Particles of a lattice with the spacing 1 that were moved by as much as `far`.
State disturbed(int dimensions, int across, double far) {
  State state;
  const int depth = dimensions == 3 ? across : 1;
  int id = 0;
  for (int i = 0; i < across; ++i) {
    for (int j = 0; j < across; ++j) {
      for (int k = 0; k < depth; ++k, ++id) {
        exchange::Position at{i + far * noise(id, 1), j + far * noise(id, 2), 0};
        if (dimensions == 3) {
          at[2] = k + far * noise(id, 3);
        }
        state.particles().insert(id, at);
      }
    }
  }
  return state;
}

double distance(const exchange::Position& a, const exchange::Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

} // namespace

TEST_CASE("a full lattice has the density that the kernel says, in 2 and 3 dimensions") {
  for (const int dimensions : {2, 3}) {
    const Kernel kernel(dimensions, 0.5, 2.1);
    double density = 0, squares = 0;
    for (int i = -2; i <= 2; ++i) {
      for (int j = -2; j <= 2; ++j) {
        for (int k = -2; k <= 2; ++k) {
          const double r = 0.5 * std::sqrt(i * i + j * j + k * k);
          if (r > 0 && r < 1.05 && (dimensions == 3 || k == 0)) {
            density += 1.05 / r - 1;
            squares += (1.05 / r - 1) * r * r;
          }
        }
      }
    }
    CHECK(kernel.density() == doctest::Approx(density).epsilon(1e-14));
    CHECK(kernel.lambda() == doctest::Approx(squares / density).epsilon(1e-14));
  }
  CHECK(message_of([] { Kernel(4, 1, 2); }) == "particles move in 2 or 3 dimensions, not in 4");
  CHECK(message_of([] { Kernel(2, 1, 1); }) ==
        "particles 1 apart do not reach each other within 1 spacings");
}

TEST_CASE(
    "the neighbours of a particle are all that are within the radius, in 2 and 3 dimensions") {
  for (const int dimensions : {2, 3}) {
    State state = disturbed(dimensions, 8, 0.8);
    const Kernel kernel(dimensions, 1, 2.1);
    Neighbours neighbours;
    neighbours.find(kernel, state);
    std::size_t pairs = 0;
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      std::vector<std::size_t> expected, found;
      for (std::size_t other = 0; other < state.num_owned(); ++other) {
        if (other != row && distance(state.positions()[row], state.positions()[other]) < 2.1) {
          expected.push_back(other);
        }
      }
      for (const Neighbour& other : neighbours.of(row)) {
        found.push_back(other.row);
        CHECK(other.weight == doctest::Approx(2.1 / other.distance - 1));
      }
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
      pairs += found.size();
    }
    CHECK(neighbours.num_pairs() == pairs);
    CHECK(pairs > 0);
  }
}

TEST_CASE("two particles at one place are named") {
  State state;
  state.particles().insert(3, {1, 2, 0});
  state.particles().insert(8, {1, 2, 0});
  Neighbours neighbours;
  CHECK(message_of([&] { neighbours.find(Kernel(2, 1, 2.1), state); }) ==
        "particles 3 and 8 are at one place, (1, 2, 0)");
}

TEST_CASE("gradients and divergences of linear fields are exact among disturbed particles") {
  for (const int dimensions : {2, 3}) {
    State state = disturbed(dimensions, 7, 0.3);
    const Kernel kernel(dimensions, 1, 2.1);
    Neighbours neighbours;
    neighbours.find(kernel, state);
    const auto pressures = state.pressures();
    const auto velocities = state.velocities();
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      const exchange::Position& at = state.positions()[row];
      pressures[row] = 3 + 2 * at[0] - 5 * at[1] + 4 * at[2];
      velocities[3 * row] = 2 * at[0] - at[1];
      velocities[3 * row + 1] = 3 * at[0] + 4 * at[1];
      velocities[3 * row + 2] = at[0] - 7 * at[2];
    }
    const auto is_inside = [](double at) { return at > 1 && at < 5; };
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      const exchange::Position& at = state.positions()[row];
      if (!is_inside(at[0]) || !is_inside(at[1]) || (dimensions == 3 && !is_inside(at[2]))) {
        continue; // corners have too few neighbours
      }
      const Vector slope =
          gradient(kernel, neighbours.of(row), {pressures}, row, [](std::size_t) { return true; });
      CHECK(slope[0] == doctest::Approx(2));
      CHECK(slope[1] == doctest::Approx(-5));
      CHECK(slope[2] == doctest::Approx(dimensions == 3 ? 4 : 0));
      CHECK(divergence(kernel, neighbours.of(row), state, row) ==
            doctest::Approx(dimensions == 3 ? -1 : 6));
    }
  }
}

TEST_CASE("friction is exact for squares of places inside, and never more than that") {
  for (const int dimensions : {2, 3}) {
    State state = disturbed(dimensions, 7, 0.5);
    const Kernel kernel(dimensions, 1, 2.1);
    Neighbours neighbours;
    neighbours.find(kernel, state);
    int num_exact = 0;
    for (std::size_t row = 0; row < state.num_owned(); ++row) {
      double squares = 0;
      for (std::size_t other = 0; other < state.num_owned(); ++other) {
        const double far = distance(state.positions()[row], state.positions()[other]);
        state.velocities()[3 * other] = far * far;
        squares += other != row && far < 2.1 ? (2.1 / far - 1) * far * far : 0;
      }
      add_viscosity(kernel, neighbours, 0.1, true, state);
      const bool is_full = squares >= kernel.lambda() * kernel.density();
      const double share = is_full ? 1 : squares / (kernel.lambda() * kernel.density());
      CHECK(state.velocities()[3 * row] == doctest::Approx(0.1 * 2 * dimensions * share));
      num_exact += is_full ? 1 : 0;
    }
    CHECK(num_exact > 0);
    CHECK(num_exact < static_cast<int>(state.num_owned()));
  }
}

TEST_CASE("of a block of particles, those of its sides are at the surface") {
  State state = disturbed(2, 9, 0);
  const Kernel kernel(2, 1, 3.1);
  Neighbours neighbours;
  neighbours.find(kernel, state);
  const std::vector<double> density = relative_density(kernel, neighbours, state.num_owned());
  CHECK(density[4 * 9 + 4] == doctest::Approx(1)); // in the middle
  const std::vector<char> surface = find_surface(kernel, neighbours, state, density);
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    const std::size_t i = row / 9, j = row % 9;
    CHECK(static_cast<bool>(surface[row]) == (i == 0 || j == 0 || i == 8 || j == 8));
  }
}
