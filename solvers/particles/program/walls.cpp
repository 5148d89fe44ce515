// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/walls.hpp"

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
  return inflows_.end_step(state, time, time + step);
}

} // namespace isthmus::mps
