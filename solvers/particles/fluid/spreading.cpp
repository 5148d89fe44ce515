// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/spreading.hpp"

#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mps {

namespace {

void add_to_velocities(const std::vector<Vector>& changes, State& state) {
  const auto velocities = state.velocities();
  for (std::size_t row = 0; row < changes.size(); ++row) {
    for (std::size_t d = 0; d < 3; ++d) {
      velocities[3 * row + d] += changes[row][d];
    }
  }
}

/// Where one of the fluid goes.
Vector shift_of(const Kernel& kernel, std::span<const Neighbour> neighbours, double density,
                Shift how, State& state, std::size_t row) {
  const double spacing = kernel.spacing();
  Vector crowd{}, away{};
  double square = 0;
  for (const Neighbour& other : neighbours) {
    const double near = spacing * spacing / (other.distance * other.distance * other.distance);
    for (std::size_t d = 0; d < 3; ++d) {
      crowd[d] += near * other.way[d];
      away[d] -= other.weight * other.way[d] / other.distance;
    }
    const Vector past = relative_velocity(state.velocities(), row, other);
    square = std::max(square, dot(past, past));
  }
  if (density < thin) {
    const double along = dot(away, crowd) / dot(away, away);
    for (std::size_t d = 0; d < 3; ++d) {
      crowd[d] -= along * away[d];
    }
  }
  const double most = 0.1 * spacing;
  Vector result{};
  for (std::size_t d = 0; d < 3; ++d) {
    result[d] = std::clamp(-how.part * std::sqrt(square) * how.step * crowd[d], -most, most);
  }
  return result;
}

} // namespace

void collide(double spacing, const Neighbours& neighbours, State& state) {
  const auto kinds = state.kinds();
  const auto rows = state.rows();
  std::vector<Vector> changes(state.num_owned(), Vector{});
  for (std::size_t row = 0; row < changes.size(); ++row) {
    double hits = 0;
    for (const Neighbour& other : neighbours.of(row)) {
      const bool is_at_surface = rows[row] < 0 || rows[other.row] < 0;
      if (kinds[row] != Kind::fluid || other.distance > (is_at_surface ? 0.7 : 0.5) * spacing) {
        continue;
      }
      const double apart = dot(relative_velocity(state.velocities(), row, other), other.way);
      if (apart >= 0) {
        continue;
      }
      constexpr double bounce = 1.2; // and a fifth of it back
      const double share = kinds[other.row] == Kind::fluid ? bounce / 2 : bounce;
      hits += 1;
      for (std::size_t d = 0; d < 3; ++d) {
        changes[row][d] += apart * share * other.way[d] / (other.distance * other.distance);
      }
    }
    for (double& component : changes[row]) {
      component /= std::max(1.0, hits);
    }
  }
  add_to_velocities(changes, state);
}

std::vector<Vector> shift(const Kernel& kernel, const Neighbours& neighbours,
                          std::span<const double> density, Shift how, State& state) {
  std::vector<Vector> ways(density.size(), Vector{}), changes(density.size(), Vector{});
  for (std::size_t row = 0; row < density.size(); ++row) {
    if (state.kinds()[row] == Kind::fluid && state.rows()[row] >= 0) {
      ways[row] = shift_of(kernel, neighbours.of(row), density[row], how, state, row);
      changes[row] = velocity_change(kernel, neighbours.of(row), state, row, ways[row]);
    }
  }
  add_to_velocities(changes, state);
  return ways;
}

} // namespace isthmus::mps
