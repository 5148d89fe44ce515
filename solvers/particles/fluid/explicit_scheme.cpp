// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/explicit_scheme.hpp"

#include "particles/fluid/operators.hpp"

#include <algorithm>

namespace isthmus::mps {

StepReport ExplicitScheme::advance(State& state, const Neighbours& neighbours,
                                   exchange::Migration& migration, double step) {
  const auto pressures = state.pressures();
  const std::vector<double> density = relative_density(kernel_, neighbours, state.num_owned());
  for (std::size_t row = 0; row < density.size(); ++row) {
    pressures[row] = std::max(0.0, liquid_.density * sound_ * sound_ * (density[row] - 1));
  }
  migration.refresh(state.particles(), state.pressure());
  add_viscosity(kernel_, neighbours, step * liquid_.viscosity, liquid_.slips, state);
  const auto velocities = state.velocities();
  const double factor = step * kernel_.derivative() / liquid_.density;
  for (std::size_t row = 0; row < density.size(); ++row) {
    if (state.kinds()[row] != Kind::fluid) {
      continue;
    }
    Vector push{};
    for (const Neighbour& other : neighbours.of(row)) {
      const double both = (pressures[row] + pressures[other.row] + deeper(state, row, other)) *
                          other.weight / (other.distance * other.distance);
      for (std::size_t d = 0; d < 3; ++d) {
        push[d] += both * other.way[d];
      }
    }
    for (std::size_t d = 0; d < 3; ++d) {
      velocities[3 * row + d] += step * liquid_.gravity[d] - factor * push[d];
    }
  }
  for (std::size_t row = 0; row < density.size(); ++row) {
    for (std::size_t d = 0; d < 3 && state.kinds()[row] == Kind::fluid; ++d) {
      state.particles().positions()[row][d] += step * velocities[3 * row + d];
    }
  }
  return {};
}

double ExplicitScheme::deeper(State& state, std::size_t row, const Neighbour& of) const {
  double result = 0;
  for (std::size_t d = 0; d < 3 && of.turned != 0; ++d) {
    const double here = state.positions()[row][d], there = state.positions()[of.row][d];
    result += liquid_.density * liquid_.gravity[d] * (of.way[d] - (there - here));
  }
  return result;
}

} // namespace isthmus::mps
