// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/walls.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isthmus::mps {

namespace {

bool is_moving(const Obstacle& obstacle) {
  return obstacle.is_coupled || obstacle.amplitude != Vector{} || obstacle.velocity != Vector{};
}

} // namespace

Walls::Walls(const Case& from)
    : lattice_(from),
      inflows_(from),
      planes_(from.tank.planes(from.dimensions)),
      spacing_(from.spacing),
      moves_(std::any_of(from.tank.obstacles.begin(), from.tank.obstacles.end(), is_moving)) {}

const Obstacle* Walls::moving(State& state, std::size_t row) const {
  if (state.kinds()[row] == Kind::fluid) {
    return nullptr;
  }
  const auto place = lattice_.place(state.particles().ids()[row]);
  const Obstacle* const obstacle = lattice_.obstacle(place);
  return obstacle != nullptr && is_moving(*obstacle) ? obstacle : nullptr;
}

void Walls::begin_step(State& state, exchange::Migration& migration, double end,
                       double step) const {
  inflows_.begin_step(state, migration);
  if (!moves_) {
    return;
  }
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    const Obstacle* const obstacle = moving(state, row);
    if (obstacle == nullptr) {
      continue;
    }
    const GlobalIndex id = state.particles().ids()[row];
    const exchange::Position home = lattice_.at(lattice_.place(id));
    const Vector coupled = obstacle->is_coupled && displacement_ ? displacement_(id) : Vector{};
    const double swing = std::sin(2 * std::numbers::pi * obstacle->frequency * end);
    for (std::size_t d = 0; d < 3; ++d) {
      const double there =
          home[d] + coupled[d] + obstacle->amplitude[d] * swing + obstacle->velocity[d] * end;
      state.velocities()[3 * row + d] = (there - state.positions()[row][d]) / step;
    }
  }
  migration.refresh(state.particles(), state.velocity());
}

std::int64_t Walls::end_step(State& state, double time, double step) const {
  for (std::size_t row = 0; moves_ && row < state.num_owned(); ++row) {
    if (moving(state, row) != nullptr) {
      for (std::size_t d = 0; d < 3; ++d) {
        state.particles().positions()[row][d] += step * state.velocities()[3 * row + d];
      }
    }
  }
  keep_before_planes(state);
  return inflows_.end_step(state, time, time + step);
}

/// An accident: what is pushed through a plane is put before it, at rest across it.
void Walls::keep_before_planes(State& state) const {
  const double least = 0.05 * spacing_;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    for (const Plane& plane : planes_) {
      const double far = before(plane, state.positions()[row]);
      if (state.kinds()[row] == Kind::fluid && far < least) {
        const std::size_t d = plane.direction;
        double& across = state.velocities()[3 * row + d];
        state.particles().positions()[row][d] = plane.at + plane.inward * std::max(-far, least);
        across = plane.inward * std::max(0.0, plane.inward * across);
      }
    }
  }
}

} // namespace isthmus::mps
