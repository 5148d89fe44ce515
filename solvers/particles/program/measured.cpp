// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/measured.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "particles/program/tank/gauges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace isthmus::mps {

namespace {

/// Whether it left through an open side. Throws Error if it must not.
bool is_outside(const Case& from, double time, GlobalIndex id, const exchange::Position& at) {
  bool is_in = true, is_through = false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
    const double beyond[2] = {from.tank.lower[d] - at[d], at[d] - from.tank.upper[d]};
    for (std::size_t side = 0; side < 2; ++side) {
      is_in = is_in && beyond[side] < from.spacing;
      is_through = is_through || (from.tank.is_open[d][side] && beyond[side] > 0);
    }
  }
  check(is_in || is_through,
        "particle {} went through a wall of the tank to ({}, {}, {}) at time {}; a smaller "
        "\"courant\" in [time] may keep it inside",
        id, at[0], at[1], at[2], time);
  check(is_in || from.tank.deletes_outside,
        "particle {} left the tank through an open side, to ({}, {}, {}) at time {}; a larger "
        "tank keeps it, outside = \"delete\" in [tank] removes it",
        id, at[0], at[1], at[2], time);
  return !is_in;
}

/// The rows of the fluid that left.
std::vector<LocalIndex> lost_of(const Case& from, double time, State& state) {
  std::vector<LocalIndex> lost;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (state.kinds()[row] == Kind::fluid &&
        is_outside(from, time, state.particles().ids()[row], state.positions()[row])) {
      lost.push_back(static_cast<LocalIndex>(row));
    }
  }
  return lost;
}

} // namespace

Measured measure(const comm::Comm& comm, const Case& from, double time, State& state) {
  std::vector<LocalIndex> lost;
  comm::agree(comm, [&] { lost = lost_of(from, time, state); });
  if (!lost.empty()) {
    state.particles().erase(lost);
  }
  std::array<double, 2> most{0, -std::numeric_limits<double>::infinity()}; // speed, front
  std::array<double, 3> sums{};                                            // fluid, lost, energy
  sums[1] = static_cast<double>(lost.size());
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    const exchange::Position& at = state.positions()[row];
    if (state.kinds()[row] == Kind::fluid) {
      const auto v = state.velocities().subspan(3 * row, 3);
      const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      most[0] = std::max(most[0], std::sqrt(square));
      most[1] = std::max(most[1], at[0]);
      sums[0] += 1;
      sums[2] += square;
    }
  }
  comm::allreduce(comm, std::span<double>(most), comm::Op::max);
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  Measured result;
  result.num_fluid = std::llround(sums[0]);
  result.num_lost = std::llround(sums[1]);
  result.speed = most[0];
  result.front = result.num_fluid > 0 ? most[1] + from.spacing / 2 : from.tank.lower[0];
  result.energy = 0.5 * from.liquid.density * std::pow(from.spacing, from.dimensions) * sums[2];
  result.gauges = read_gauges(comm, from, state);
  return result;
}

} // namespace isthmus::mps
