// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/inflow.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mps {

double Inflows::speed() const {
  double result = 0;
  for (const Inflow& inflow : from_.tank.inflows) {
    result = std::max(result, inflow.speed);
  }
  return result;
}

const Inflow* Inflows::of(State& state, std::size_t row) const {
  return state.kinds()[row] == Kind::fluid
             ? nullptr
             : lattice_.inflow(lattice_.place(state.particles().ids()[row]));
}

std::int64_t Inflows::layers(const Inflow& inflow, double time) const {
  return static_cast<std::int64_t>(std::floor(inflow.speed * time / from_.spacing));
}

void Inflows::begin_step(State& state, exchange::Migration& migration) const {
  if (from_.tank.inflows.empty()) {
    return;
  }
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (const Inflow* const inflow = of(state, row)) {
      state.velocities()[3 * row + inflow->direction] = inflow->sign * inflow->speed;
    }
  }
  migration.refresh(state.particles(), state.velocity());
}

std::int64_t Inflows::end_step(State& state, double begin, double end) const {
  std::int64_t result = 0;
  const std::size_t owned = from_.tank.inflows.empty() ? 0 : state.num_owned();
  for (std::size_t row = 0; row < owned; ++row) {
    const Inflow* const inflow = of(state, row);
    if (inflow == nullptr) {
      continue;
    }
    const std::size_t d = inflow->direction;
    const GlobalIndex id = state.particles().ids()[row];
    const std::int64_t before = layers(*inflow, begin), after = layers(*inflow, end);
    const double home = lattice_.at(lattice_.place(id))[d];
    const double in = inflow->speed * end - static_cast<double>(after) * from_.spacing;
    exchange::Position at = state.positions()[row];
    at[d] = home + inflow->sign * in;
    state.particles().positions()[row] = at;
    if (after == before || state.kinds()[row] != Kind::wall) {
      continue;
    }
    at[d] += inflow->sign * from_.spacing;
    const double pressure = state.pressures()[row];
    const auto added =
        static_cast<std::size_t>(state.particles().insert(lattice_.size() * after + id, at));
    state.kinds()[added] = Kind::fluid;
    state.pressures()[added] = pressure;
    state.velocities()[3 * added + d] = inflow->sign * inflow->speed;
    ++result;
  }
  return result;
}

} // namespace isthmus::mps
